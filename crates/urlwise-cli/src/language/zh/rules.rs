//! What the pages of codes say.

#[rustfmt::skip]
pub(super) const RULES: &[(&str, &str)] = &[
    ("the scheme has a character that is not allowed there", "方案中有不允许的字符"),
    ("the scheme does not start with a letter", "方案不以字母开头"),
    ("a part of the URL has a character that is not allowed there", "URL的某个部分中有不允许的字符"),
    ("URLs of this scheme cannot contain a user name or password", "此方案的URL不能包含用户名或密码"),
    ("the host has a character that is not allowed there", "主机中有不允许的字符"),
    ("a label of the host is too long", "主机的一个标签太长"),
    ("the host is too long", "主机太长"),
    ("the host does not fit in a DNS message", "主机无法放进DNS报文"),
    ("the port has a character that is not allowed there", "端口中有不允许的字符"),
    ("`;` is reserved in the path of an ftp URL", "`;`在ftp URL的路径中是保留字符"),
    ("an http search has a character that is reserved there", "http查询字符串中有保留字符"),
    ("the gopher type is a tab or a line end", "gopher类型是制表符或换行符"),
    ("a gopher selector contains a tab or a line end, or a search a tab", "gopher选择器中有制表符或换行符，或查询字符串中有制表符"),
    ("a gopher search contains a line end", "gopher查询字符串中有换行符"),
    ("the address contains a control character", "地址包含控制字符"),
    ("a newsgroup name must start with a letter", "新闻组名必须以字母开头"),
    ("a Message-ID has a character that is not allowed before its `@`", "Message-ID的`@`之前有不允许的字符"),
    ("a part of a WAIS URL is empty", "WAIS URL的某个部分为空"),
    ("a part of a WAIS URL has an unencoded character", "WAIS URL的某个部分中有未编码的字符"),
    ("write its escape", "写成它的转义"),
    ("write its escape: the BNF of `search` does not allow it raw", "写成它的转义：BNF的`search`不允许直接写出它"),
    ("the profile `current` reads it by a later document, `rfc1738` as an unknown scheme", "`current`模式按后来的文档解读它，`rfc1738`模式把它当作未知方案"),
];
