//! What a URL is, and how others read it.

#[rustfmt::skip]
pub(super) const EXPLAIN: &[(&str, &str)] = &[
    ("What this URL is", "此URL是什么"),
    ("Why it would not be opened", "不会打开的原因"),
    ("What later RFCs changed", "后来的RFC所作的更改"),
    ("What it implies", "由此可知"),
    ("And {count} more.", "另有{count}个。"),
    ("The dialogue to open it", "打开它的对话"),
    ("Repaired: {url}", "已修复：{url}"),
    ("{level}: {message}.", "{level}：{message}。"),
    ("The link leaves out the password.", "链接中不含密码。"),
    ("Risks are looked for in a valid URL.", "风险只在有效的URL中查找。"),
    ("Risks", "风险"),
    ("{severity} risk", "{severity}风险"),
    ("{code}, RFC 1738 {section}, refused", "{code}，RFC 1738{section}，拒绝"),
    ("How others read it", "各解读方的读法"),
    ("what others read is not shown of so long a text; `urlwise compare` shows it", "这么长的文本，不显示其他解读方的读法；`urlwise compare`会显示"),
    ("What differs from how {reader} reads it is marked.", "与{reader}读法不同之处已标出。"),
    ("Reader", "解读方"),
    ("differs", "不同"),
    ("rejected", "拒绝"),
    ("absent", "无"),
    ("empty", "空"),
    (", ", "、"),
];
