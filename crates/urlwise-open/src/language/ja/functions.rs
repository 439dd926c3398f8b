//! Functions of telnet that a person may send.

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[(&str, &str)] = &[
    ("ask whether the server is there", "サーバがいるかどうか尋ねる"),
    ("interrupt the process", "プロセスに割り込む"),
    ("the break key", "ブレークキー"),
    ("discard the output", "出力を捨てる"),
    ("erase a character", "1文字消す"),
    ("erase the line", "行を消す"),
    ("end of input", "入力の終わり"),
    ("nothing", "何もしない"),
];
