//! What went wrong, and what to do.

#[rustfmt::skip]
pub(super) const PROBLEMS: &[(&str, &str)] = &[
    ("Notes", "说明"),
    ("Kind", "种类"),
    ("Rule", "规则"),
    ("Section", "章节"),
    ("The server\u{2019}s code", "服务器代码"),
    ("At", "所涉URL"),
    ("Reached from", "经由"),
    ("What to do", "处理办法"),
    ("{kind}: {meaning}", "{kind}：{meaning}"),
    ("There is one way to repair it:", "有一种修复方法："),
    ("Did you mean:", "是否想写："),
    ("Problems", "问题"),
    ("{code}, RFC 1738 {section}", "{code}，RFC 1738{section}"),
    ("Open this URL?", "打开此URL？"),
    ("A page of another site, or a program, wants to open this URL:", "另一个网站的页面或某个程序想打开此URL："),
    ("Nothing has been opened yet.", "尚未打开任何内容。"),
    ("This is not a valid URL", "这不是有效的URL"),
    ("This could not be opened", "无法打开"),
    ("It may have been moved or removed. Check the spelling, or look for it at {link}.", "它可能已被移动或删除。检查拼写，或在{link}中查找。"),
    ("It may have been moved or removed. Check the spelling.", "它可能已被移动或删除。检查拼写。"),
    ("Try again", "重试"),
    ("Explain this URL", "解释此URL"),
    ("This cannot be searched for", "无法查询"),
    ("Go back and change the words.", "返回并更改查询词。"),
];
