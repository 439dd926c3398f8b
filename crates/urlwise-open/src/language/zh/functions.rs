//! Functions of telnet that a person may send.

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[(&str, &str)] = &[
    ("ask whether the server is there", "询问服务器是否在线"),
    ("interrupt the process", "中断进程"),
    ("the break key", "中断键（BRK）"),
    ("discard the output", "丢弃输出"),
    ("erase a character", "删除一个字符"),
    ("erase the line", "删除整行"),
    ("end of input", "输入结束"),
    ("nothing", "无操作"),
];
