//! Why a link has its verdict.

#[rustfmt::skip]
pub(super) const PROBE: &[(&str, &str)] = &[
    ("the server says that it does not exist", "存在しないとサーバが答えた"),
    ("the server says that it was removed permanently", "完全に削除されたとサーバが答えた"),
    ("the host does not exist", "ホストが存在しない"),
    ("the document has no such fragment", "文書にそのフラグメントがない"),
    ("the domain does not take mail", "ドメインがメールを受け付けない"),
    ("the server wants proof that a person asks", "人による要求であることの証明を、サーバが求めている"),
    ("the server has had too many requests", "サーバへの要求が多すぎる"),
    ("the server requires a login", "サーバがログインを求めている"),
    ("the server refuses access", "サーバがアクセスを拒否した"),
    ("the server rejects the request", "サーバが要求を拒否した"),
    ("the server failed", "サーバでエラーが起きた"),
    ("the server did not answer in time", "サーバが時間内に応答しなかった"),
    ("the name of the host could not be looked up", "ホストの名前を解決できなかった"),
    ("no connection to the server could be made", "サーバに接続できなかった"),
    ("no trusted TLS connection to the server could be made", "サーバと信頼できるTLS接続を確立できなかった"),
    ("the connection broke before the answer", "応答の前に接続が切れた"),
    ("the answer violates the protocol", "応答がプロトコルに違反している"),
    ("there are too many redirects, or they form a loop", "リダイレクトが多すぎるか、循環している"),
    ("the answer exceeds a limit of this client", "応答がこのクライアントの上限を超えている"),
    ("the file exists and cannot be read", "ファイルは存在するが、読めない"),
    ("nothing here opens URLs of this kind", "この種類のURLを開くものがない"),
    ("it cannot be opened without input from a person", "人の入力なしには開けない"),
    ("the URL names no server, and none is configured", "URLにサーバの指定がなく、設定もされていない"),
];
