//! Pages of audit rules, and details of findings.

#[rustfmt::skip]
pub(super) const FINDINGS: &[(&str, &str)] = &[
    // Pages of rules.
    ("{number} {id}: {severity} risk (RFC 1738 {section})", "{number} {id}：{severity}风险（RFC 1738{section}）"),
    ("{severity} in {scheme} URLs", "在{scheme}的URL中为{severity}"),
    ("other", "其他"),
    ("Fires when {when}.", "条件：{when}。"),
    ("Example: {example}", "例：{example}"),
    // Details of findings.
    ("a name that cannot be decoded", "无法解码的名称"),
    ("sends a line that starts with `{text}`, a command of {protocol}", "会发送以`{text}`开头的一行，这是{protocol}的命令"),
    ("uses port {text}, where a mail server would read its selector as commands", "使用端口{text}，那里的邮件服务器会把它的选择器当作命令"),
    ("looks like a host but is not one", "看起来像主机，但不是主机"),
    ("contains the escape of a character that would end it", "包含会使它结束的字符的转义"),
    ("decodes to an octet that is not allowed in portable file names", "解码后是可移植的文件名中不允许的八位字节"),
    ("contains a line end, which would start another header", "包含行尾，它会另起一个邮件头"),
    ("is not safe for a URL to set", "由URL设置并不安全"),
    ("is another machine, and a file URL does not say how to fetch the file from it", "是另一台机器，而file URL没有说明如何从那里获取文件"),
    ("at the start of the path names another machine on some systems", "位于路径开头，在某些系统上指另一台机器"),
    ("is the device directory of many systems", "是许多系统的设备目录"),
    ("is a device name on Windows", "在Windows上是设备的名称"),
    ("starts like the common Internet syntax but does not follow it: other standards see a host there", "开头像通用互联网语法，但并不符合：其他标准在那里看到主机"),
    ("is a scheme here, but looks like a host before its port", "在这里是方案，但看起来像端口之前的主机"),
    ("HTTP and memcached", "HTTP和memcached"),
    ("HTTP and NNTP", "HTTP和NNTP"),
    ("FTP, POP3 and IRC", "FTP、POP3和IRC"),
    ("FTP, POP3 and NNTP", "FTP、POP3和NNTP"),
    ("FTP and POP3", "FTP和POP3"),
    ("Redis and memcached", "Redis和memcached"),
    ("SMTP over TLS", "TLS上的SMTP"),
    ("IMAP over TLS", "TLS上的IMAP"),
    ("POP3 over TLS", "TLS上的POP3"),
    ("LPD (printers)", "LPD（打印机）"),
    ("IPP (printers)", "IPP（打印机）"),
];
