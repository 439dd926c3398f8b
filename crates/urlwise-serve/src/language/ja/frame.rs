//! What every page has, and the page to begin with.

#[rustfmt::skip]
pub(super) const FRAME: &[(&str, &str)] = &[
    ("Skip to content", "本文へ移動"),
    ("Breadcrumb", "パンくずリスト"),
    ("Command", "コマンド"),
    ("Page", "ページ"),
    ("Reload from the server", "サーバから再読み込みする"),
    ("Open", "開く"),
    ("Explain", "説明"),
    ("Open any URL of RFC 1738", "RFC 1738のどのURLでも開く"),
    ("Type or paste one above. This machine opens it and shows it here.", "上の欄に入力するか貼り付けると、このマシンがそれを開き、ここに表示する。"),
    ("The ten schemes", "10のスキーム"),
    ("Menus, texts, searches and forms", "メニュー、テキスト、検索、フォーム"),
    ("Directories and files", "ディレクトリとファイル"),
    ("Documents on the web", "ウェブの文書"),
    ("Newsgroups and articles on your news server", "設定されたニュースサーバのニュースグループと記事"),
    ("Newsgroups and articles on a server of your choice", "選んだサーバのニュースグループと記事"),
    ("Searches in databases, with scores", "データベースの検索、スコア付き"),
    ("Directories of names, and where to get what they name", "名前のディレクトリと、名前が指すものの取得先"),
    ("Drafts of mails", "メールの下書き"),
    ("Sessions in a terminal", "端末でのセッション"),
    ("Files on this machine, if the gateway was started with `--files`", "このマシンのファイル。ゲートウェイを`--files`付きで起動した場合に限る"),
    ("Open links from other pages here", "他のページのリンクをここで開く"),
];
