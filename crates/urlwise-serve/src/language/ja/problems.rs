//! What went wrong, and what to do.

#[rustfmt::skip]
pub(super) const PROBLEMS: &[(&str, &str)] = &[
    ("Notes", "注記"),
    ("Kind", "種類"),
    ("Rule", "規則"),
    ("Section", "節"),
    ("The server\u{2019}s code", "サーバのコード"),
    ("At", "該当のURL"),
    ("Reached from", "経由したURL"),
    ("What to do", "対処"),
    ("{kind}: {meaning}", "{kind}：{meaning}"),
    ("There is one way to repair it:", "修復の方法が1つある："),
    ("Did you mean:", "もしかして："),
    ("Problems", "問題"),
    ("{code}, RFC 1738 {section}", "{code}、RFC 1738の{section}"),
    ("Open this URL?", "このURLを開くか"),
    ("A page of another site, or a program, wants to open this URL:", "別のサイトのページ、またはプログラムが、このURLを開こうとしている："),
    ("Nothing has been opened yet.", "まだ何も開いていない。"),
    ("This is not a valid URL", "正しいURLではない"),
    ("This could not be opened", "開けなかった"),
    ("It may have been moved or removed. Check the spelling, or look for it at {link}.", "移動または削除された可能性がある。綴りを確かめるか、{link}で探す。"),
    ("It may have been moved or removed. Check the spelling.", "移動または削除された可能性がある。綴りを確かめる。"),
    ("Try again", "もう一度試す"),
    ("Explain this URL", "このURLを説明する"),
    ("This cannot be searched for", "検索できない"),
    ("Go back and change the words.", "戻って語を変える。"),
];
