//! Why URLs are equivalent or differ.

#[rustfmt::skip]
pub(super) const COMPARE: &[(&str, &str)] = &[
    // Reasons.
    ("case does not matter in a scheme", "スキームでは大文字と小文字を区別しない"),
    ("case does not matter in a host", "ホストでは大文字と小文字を区別しない"),
    ("the default port of the scheme may be left out", "スキームのデフォルトのポートは省略してもよい"),
    ("an empty port means the default port", "空のポートはデフォルトのポートを意味する"),
    ("leading zeros do not matter in a port", "ポートの先頭に0があっても意味は変わらない"),
    ("an unreserved character and its escape are equivalent", "予約されていない文字とそのエスケープは等価である"),
    ("a character that should be escaped means the same as its escape", "エスケープすべきである文字は、そのエスケープと同じ意味である"),
    ("case does not matter in the hex digits of an escape", "エスケープの16進数字では大文字と小文字を区別しない"),
    ("`~` and `%7E` are equivalent", "`~`と`%7E`は等価である"),
    ("anything after the host of a telnet URL is ignored", "telnetのURLのホストより後は無視される"),
    ("a gopher URL without type and selector, or with type `1` and an empty selector, is the top menu", "タイプもセレクタもないgopherのURL、またはタイプが`1`でセレクタが空のものは、最上位のメニューである"),
    ("an empty host and `localhost` both mean the local machine", "空のホストと`localhost`は、どちらもローカルマシンを意味する"),
    ("`file:/` and `file:///` are equivalent", "`file:/`と`file:///`は等価である"),
    ("`;TYPE=` and `;type=` are equivalent", "`;TYPE=`と`;type=`は等価である"),
    ("case does not matter in a typecode", "タイプコードでは大文字と小文字を区別しない"),
    ("different schemes name different resources", "異なるスキームは異なる資源を指す"),
    ("only one of the URLs has the part; an empty part is not an absent one", "その部分は一方のURLにしかない。空の部分と存在しない部分は異なる"),
    ("a reserved character is a delimiter, its escape is data", "予約文字は区切り文字であり、そのエスケープはデータである"),
    ("empty segments are significant", "空のセグメントには意味がある"),
    ("`.` and `..` are ordinary names and are not removed", "`.`と`..`は普通の名前であり、取り除かれない"),
    ("the part is opaque, so a character and its escape are different", "その部分は不透明なので、文字とそのエスケープは異なる"),
    ("the decoded octets differ", "復号したオクテットが異なる"),
    ("without a request, with or without the slash, a finger URL asks who is logged in", "要求のないfingerのURLは、スラッシュがあってもなくても、誰がログインしているかを尋ねる"),
    ("without a path, with or without the slash, an ftp URL names the login directory", "パスのないftpのURLは、スラッシュがあってもなくても、ログインディレクトリを指す"),
    ("an http URL without a path requests `/`", "パスのないhttpのURLは`/`を要求する"),
    // Verdicts.
    ("same", "同じ"),
    ("different", "異なる"),
    ("different in the {part}", "{part}が異なる"),
    ("{verdict}: {reasons}", "{verdict}：{reasons}"),
    ("; ", "。"),
    ("{message} ({citation})", "{message}（{citation}）"),
    ("the texts are equal", "テキストが等しい"),
];
