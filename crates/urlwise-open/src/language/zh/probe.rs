//! Why a link has its verdict.

#[rustfmt::skip]
pub(super) const PROBE: &[(&str, &str)] = &[
    ("the server says that it does not exist", "服务器应答说它不存在"),
    ("the server says that it was removed permanently", "服务器应答说它已被永久删除"),
    ("the host does not exist", "主机不存在"),
    ("the document has no such fragment", "文档没有此片段"),
    ("the domain does not take mail", "此域不接收邮件"),
    ("the server wants proof that a person asks", "服务器要求证明请求来自人"),
    ("the server has had too many requests", "服务器收到的请求过多"),
    ("the server requires a login", "服务器要求登录"),
    ("the server refuses access", "服务器拒绝访问"),
    ("the server rejects the request", "服务器拒绝请求"),
    ("the server failed", "服务器出错"),
    ("the server did not answer in time", "服务器没有及时应答"),
    ("the name of the host could not be looked up", "无法解析主机的名称"),
    ("no connection to the server could be made", "无法连接服务器"),
    ("no trusted TLS connection to the server could be made", "无法与服务器建立可信的TLS连接"),
    ("the connection broke before the answer", "应答之前连接断开"),
    ("the answer violates the protocol", "应答违反协议"),
    ("there are too many redirects, or they form a loop", "重定向过多，或形成循环"),
    ("the answer exceeds a limit of this client", "应答超出本客户端的限制"),
    ("the file exists and cannot be read", "文件存在，但无法读取"),
    ("nothing here opens URLs of this kind", "此处无法打开这种URL"),
    ("it cannot be opened without input from a person", "没有人的输入就无法打开"),
    ("the URL names no server, and none is configured", "URL没有指明服务器，也没有配置服务器"),
];
