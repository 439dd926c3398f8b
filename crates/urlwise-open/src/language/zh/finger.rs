//! finger.

#[rustfmt::skip]
pub(super) const FINGER: &[(&str, &str)] = &[
    ("the connection broke, so the answer may not be complete", "连接断开，因此应答可能不完整"),
    ("text, until the server closes", "文本，直到服务器关闭连接"),
    ("refused to send: the user name contains a control character,", "拒绝发送：用户名含有控制字符"),
    ("refused to send: the server would ask another host, named after the `@`", "拒绝发送：服务器会去询问`@`之后所写的另一台主机"),
    ("ask that host itself", "直接询问那台主机本身"),
];
