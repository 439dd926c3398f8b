//! telnet: options of the terminal.

#[rustfmt::skip]
pub(super) const TELNET: &[(&str, &str)] = &[
    ("{verb} {name}", "{verb} {name}"),
    ("{what}, which is {columns} x {rows}", "{what}（{columns} x {rows}）"),
    ("TERMINAL-TYPE is {name}", "TERMINAL-TYPE为{name}"),
    ("a subnegotiation about {name} exceeds {count} octets", "关于{name}的子协商超过{count}个八位字节"),
    ("the session cannot continue", "会话无法继续"),
    ("the server sent {count} option requests in a row without any data", "服务器没有发送数据，连续发送了{count}个选项请求"),
    ("the option negotiation is in a loop", "选项协商陷入循环"),
    ("the connection broke in the middle of the session", "连接在会话中途断开"),
    ("the last output of the server may be missing", "可能缺少服务器最后的输出"),
    ("the session: the output of the server, until it closes", "会话：服务器的输出，直到它关闭连接"),
    ("questions about the terminal", "关于终端的问题"),
    ("option {number}", "选项{number}"),
    ("WINDOW-SIZE is {columns} x {rows}", "WINDOW-SIZE为{columns} x {rows}"),
];
