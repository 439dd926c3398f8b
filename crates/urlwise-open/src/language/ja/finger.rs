//! finger.

#[rustfmt::skip]
pub(super) const FINGER: &[(&str, &str)] = &[
    ("the connection broke, so the answer may not be complete", "接続が切れたので、応答が不完全である可能性がある"),
    ("text, until the server closes", "サーバが接続を閉じるまでのテキスト"),
    ("refused to send: the user name contains a control character,", "送信を拒否した：ユーザ名が制御文字を含む"),
    ("refused to send: the server would ask another host, named after the `@`", "送信を拒否した：サーバが、`@`の後に書かれた別のホストに尋ねることになる"),
    ("ask that host itself", "そのホストに直接尋ねる"),
];
