//! What every page has, and the page to begin with.

#[rustfmt::skip]
pub(super) const FRAME: &[(&str, &str)] = &[
    ("Skip to content", "跳到正文"),
    ("Breadcrumb", "面包屑导航"),
    ("Command", "命令"),
    ("Page", "页面"),
    ("Reload from the server", "从服务器重新加载"),
    ("Open", "打开"),
    ("Explain", "解释"),
    ("Open any URL of RFC 1738", "打开RFC 1738的任何URL"),
    ("Type or paste one above. This machine opens it and shows it here.", "在上方输入或粘贴一个。本机会打开它并显示在这里。"),
    ("The ten schemes", "十个方案"),
    ("Menus, texts, searches and forms", "菜单、文本、查询和表单"),
    ("Directories and files", "目录和文件"),
    ("Documents on the web", "万维网上的文档"),
    ("Newsgroups and articles on your news server", "所配置的新闻服务器上的新闻组和文章"),
    ("Newsgroups and articles on a server of your choice", "所选服务器上的新闻组和文章"),
    ("Searches in databases, with scores", "数据库查询，附得分"),
    ("Directories of names, and where to get what they name", "名称的目录，以及名称所指内容的获取位置"),
    ("Drafts of mails", "邮件草稿"),
    ("Sessions in a terminal", "终端中的会话"),
    ("Files on this machine, if the gateway was started with `--files`", "本机的文件，前提是网关启动时带有`--files`"),
    ("Open links from other pages here", "在这里打开其他页面的链接"),
];
