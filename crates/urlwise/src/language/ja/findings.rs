//! Pages of audit rules, and details of findings.

#[rustfmt::skip]
pub(super) const FINDINGS: &[(&str, &str)] = &[
    // Pages of rules.
    ("{number} {id}: {severity} risk (RFC 1738 {section})", "{number} {id}：{severity}リスク（RFC 1738の{section}）"),
    ("{severity} in {scheme} URLs", "{scheme}のURLでは{severity}"),
    ("other", "その他"),
    ("Fires when {when}.", "条件：{when}。"),
    ("Example: {example}", "例：{example}"),
    // Details of findings.
    ("a name that cannot be decoded", "復号できない名前"),
    ("sends a line that starts with `{text}`, a command of {protocol}", "`{text}`で始まる行を送る。これは{protocol}のコマンドである"),
    ("uses port {text}, where a mail server would read its selector as commands", "ポート{text}を使う。そのポートのメールサーバはセレクタをコマンドとして読む"),
    ("looks like a host but is not one", "ホストのように見えるが、ホストではない"),
    ("contains the escape of a character that would end it", "それを終わらせる文字のエスケープを含む"),
    ("decodes to an octet that is not allowed in portable file names", "復号すると、移植性のあるファイル名では使えないオクテットになる"),
    ("contains a line end, which would start another header", "行末を含む。それは別のヘッダの始まりになる"),
    ("is not safe for a URL to set", "URLから安全に設定できるものではない"),
    ("is another machine, and a file URL does not say how to fetch the file from it", "別のマシンであり、fileのURLはそこからファイルを取得する方法を示さない"),
    ("at the start of the path names another machine on some systems", "パスの先頭にあるので、システムによっては別のマシンを指す"),
    ("is the device directory of many systems", "多くのシステムでデバイスのディレクトリである"),
    ("is a device name on Windows", "Windowsではデバイスの名前である"),
    ("starts like the common Internet syntax but does not follow it: other standards see a host there", "インターネット共通構文のように始まるが、それに従っていない。他の標準はそこにホストを見る"),
    ("is a scheme here, but looks like a host before its port", "ここではスキームだが、ポートの前のホストのように見える"),
    ("HTTP and memcached", "HTTPとmemcached"),
    ("HTTP and NNTP", "HTTPとNNTP"),
    ("FTP, POP3 and IRC", "FTP、POP3、IRC"),
    ("FTP, POP3 and NNTP", "FTP、POP3、NNTP"),
    ("FTP and POP3", "FTPとPOP3"),
    ("Redis and memcached", "Redisとmemcached"),
    ("SMTP over TLS", "TLS上のSMTP"),
    ("IMAP over TLS", "TLS上のIMAP"),
    ("POP3 over TLS", "TLS上のPOP3"),
    ("LPD (printers)", "LPD（プリンタ）"),
    ("IPP (printers)", "IPP（プリンタ）"),
];
