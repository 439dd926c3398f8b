//! The page that offers the gateway to the browser.

#[rustfmt::skip]
pub(super) const HANDLERS: &[(&str, &str)] = &[
    ("In this browser", "このブラウザで"),
    ("This gateway runs on a random port, and the next one will have another, so a browser cannot be pointed here.", "このゲートウェイのポートは無作為に選ばれ、次のゲートウェイでは変わるので、ブラウザに登録できない。"),
    ("Start it on a port of your choice, as in `urlwise serve --port 8017`, and this page lets you register it.", "`urlwise serve --port 8017`のようにポートを選んで起動すれば、このページで登録できる。"),
    ("On this desktop", "このデスクトップで"),
    ("Browsers let pages register for a few schemes only. The desktop can open all of them, on any port and without a script: run `urlwise register` in a terminal. It asks about each scheme; `--dry-run` shows what it would write.", "ブラウザでページから登録できるスキームは少ない。デスクトップなら、どのポートでも、スクリプトなしで、すべてのスキームを開ける。端末で`urlwise register`を実行すると、スキームごとに尋ねる。`--dry-run`は書き込む内容を表示する。"),
    ("The browser asks you to confirm each scheme, and lists it in its settings, where you can remove it. Links then lead to this gateway, which asks before it opens anything. It has to run on this port.", "ブラウザはスキームごとに確認を求め、設定の一覧に加える。そこから削除もできる。その後、リンクはこのゲートウェイで開かれ、ゲートウェイは開く前に必ず尋ねる。ゲートウェイはこのポートで動いていなければならない。"),
    ("Open {scheme} links", "{scheme}のリンクを開く"),
    ("This browser does not let pages register, or runs no scripts.", "このブラウザは、ページからの登録に対応していないか、スクリプトを実行しない。"),
    ("The browser now asks about {scheme}, unless you answered before.", "以前に答えていなければ、ブラウザが{scheme}について尋ねる。"),
    ("The browser refuses {scheme}: {cause}", "ブラウザが{scheme}を拒否した：{cause}"),
];
