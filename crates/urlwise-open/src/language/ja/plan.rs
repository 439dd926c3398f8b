//! The words of a dry run.

#[rustfmt::skip]
pub(super) const PLAN: &[(&str, &str)] = &[
    ("the host and port of the URL", "URLのホストとポート"),
    ("the host and port of the URL, by UDP", "URLのホストとポート、UDP"),
    ("a TLS handshake on this connection", "この接続でのTLSハンドシェイク"),
    ("the same host, at the port the server gave, for data", "同じホストの、サーバが示したポート（データ用）"),
    ("a TLS handshake on the data connection", "データ接続でのTLSハンドシェイク"),
    ("{question}, from the user", "ユーザからの{question}"),
    ("more of the same, to the end", "以下同様に最後まで"),
    ("the password", "パスワード"),
    ("the account", "アカウント"),
    ("status 0, the program accepted it", "終了コード0、プログラムが受け付けた"),
    ("{host} port {port}, with TLS from the first octet", "{host}のポート{port}、最初のオクテットからTLS"),
    ("{host} port {port}, by UDP (ARDP)", "{host}のポート{port}、UDP（ARDP）"),
    ("{host}, at the port the server gave, for data", "{host}の、サーバが示したポート（データ用）"),
    ("a TLS handshake on that connection", "その接続でのTLSハンドシェイク"),
    ("a draft to {to}", "{to}への下書き"),
    ("{draft}, cc {cc}", "{draft}、Cc {cc}"),
    ("{draft}, subject \"{subject}\"", "{draft}、件名「{subject}」"),
    ("{draft}, without a body", "{draft}、本文なし"),
    ("{draft}, a body of one line", "{draft}、本文1行"),
    ("{draft}, a body of {lines} lines", "{draft}、本文{lines}行"),
];
