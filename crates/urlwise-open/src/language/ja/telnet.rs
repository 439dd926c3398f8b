//! telnet: options of the terminal.

#[rustfmt::skip]
pub(super) const TELNET: &[(&str, &str)] = &[
    ("{verb} {name}", "{verb} {name}"),
    ("{what}, which is {columns} x {rows}", "{what}（{columns} x {rows}）"),
    ("TERMINAL-TYPE is {name}", "TERMINAL-TYPEは{name}"),
    ("a subnegotiation about {name} exceeds {count} octets", "{name}についてのサブネゴシエーションが{count}オクテットを超える"),
    ("the session cannot continue", "セッションを続けられない"),
    ("the server sent {count} option requests in a row without any data", "サーバが、データを送らずに続けて{count}個のオプション要求を送った"),
    ("the option negotiation is in a loop", "オプションの交渉が循環している"),
    ("the connection broke in the middle of the session", "セッションの途中で接続が切れた"),
    ("the last output of the server may be missing", "サーバの最後の出力が欠けている可能性がある"),
    ("the session: the output of the server, until it closes", "セッション。サーバが接続を閉じるまでの出力"),
    ("questions about the terminal", "端末についての質問"),
    ("option {number}", "オプション{number}"),
    ("WINDOW-SIZE is {columns} x {rows}", "WINDOW-SIZEは{columns} x {rows}"),
];
