//! Why URLs are equivalent or differ.

#[rustfmt::skip]
pub(super) const COMPARE: &[(&str, &str)] = &[
    // Reasons.
    ("case does not matter in a scheme", "方案不区分大小写"),
    ("case does not matter in a host", "主机不区分大小写"),
    ("the default port of the scheme may be left out", "方案的默认端口可以省略"),
    ("an empty port means the default port", "空的端口表示默认端口"),
    ("leading zeros do not matter in a port", "端口的前导零没有意义"),
    ("an unreserved character and its escape are equivalent", "非保留字符与它的转义等价"),
    ("a character that should be escaped means the same as its escape", "应当转义的字符与它的转义含义相同"),
    ("case does not matter in the hex digits of an escape", "转义的十六进制数字不区分大小写"),
    ("`~` and `%7E` are equivalent", "`~`与`%7E`等价"),
    ("anything after the host of a telnet URL is ignored", "telnet URL主机之后的内容被忽略"),
    ("a gopher URL without type and selector, or with type `1` and an empty selector, is the top menu", "没有类型和选择器，或者类型为`1`而选择器为空的gopher URL，是顶层菜单"),
    ("an empty host and `localhost` both mean the local machine", "空的主机和`localhost`都表示本机"),
    ("`file:/` and `file:///` are equivalent", "`file:/`与`file:///`等价"),
    ("`;TYPE=` and `;type=` are equivalent", "`;TYPE=`与`;type=`等价"),
    ("case does not matter in a typecode", "类型码不区分大小写"),
    ("different schemes name different resources", "不同的方案指不同的资源"),
    ("only one of the URLs has the part; an empty part is not an absent one", "只有一个URL有这个部分；空的部分不同于不存在的部分"),
    ("a reserved character is a delimiter, its escape is data", "保留字符是分隔符，它的转义是数据"),
    ("empty segments are significant", "空的段是有意义的"),
    ("`.` and `..` are ordinary names and are not removed", "`.`和`..`是普通的名称，不会被删除"),
    ("the part is opaque, so a character and its escape are different", "这个部分是不透明的，因此字符与它的转义不同"),
    ("the decoded octets differ", "解码后的八位字节不同"),
    ("without a request, with or without the slash, a finger URL asks who is logged in", "没有请求的finger URL，无论有无斜线，都是询问谁已登录"),
    ("without a path, with or without the slash, an ftp URL names the login directory", "没有路径的ftp URL，无论有无斜线，都指登录目录"),
    ("an http URL without a path requests `/`", "没有路径的http URL请求`/`"),
    // Verdicts.
    ("same", "相同"),
    ("different", "不同"),
    ("different in the {part}", "{part}不同"),
    ("{verdict}: {reasons}", "{verdict}：{reasons}"),
    ("; ", "；"),
    ("{message} ({citation})", "{message}（{citation}）"),
    ("the texts are equal", "文本相同"),
];
