//! The words of a dry run.

#[rustfmt::skip]
pub(super) const PLAN: &[(&str, &str)] = &[
    ("the host and port of the URL", "URL的主机和端口"),
    ("the host and port of the URL, by UDP", "URL的主机和端口，用UDP"),
    ("a TLS handshake on this connection", "此连接上的TLS握手"),
    ("the same host, at the port the server gave, for data", "同一主机上服务器给出的端口，用于数据"),
    ("a TLS handshake on the data connection", "数据连接上的TLS握手"),
    ("{question}, from the user", "来自用户的{question}"),
    ("more of the same, to the end", "如此继续，直到结束"),
    ("the password", "密码"),
    ("the account", "账户"),
    ("status 0, the program accepted it", "退出码0，程序已接受"),
    ("{host} port {port}, with TLS from the first octet", "{host}端口{port}，从第一个八位字节起使用TLS"),
    ("{host} port {port}, by UDP (ARDP)", "{host}端口{port}，用UDP（ARDP）"),
    ("{host}, at the port the server gave, for data", "{host}上服务器给出的端口，用于数据"),
    ("a TLS handshake on that connection", "该连接上的TLS握手"),
    ("a draft to {to}", "给{to}的草稿"),
    ("{draft}, cc {cc}", "{draft}，抄送{cc}"),
    ("{draft}, subject \"{subject}\"", "{draft}，主题“{subject}”"),
    ("{draft}, without a body", "{draft}，没有正文"),
    ("{draft}, a body of one line", "{draft}，正文一行"),
    ("{draft}, a body of {lines} lines", "{draft}，正文{lines}行"),
];
