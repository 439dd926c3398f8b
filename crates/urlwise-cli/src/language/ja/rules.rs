//! What the pages of codes say.

#[rustfmt::skip]
pub(super) const RULES: &[(&str, &str)] = &[
    ("the scheme has a character that is not allowed there", "スキームに使えない文字がある"),
    ("the scheme does not start with a letter", "スキームが英字で始まっていない"),
    ("a part of the URL has a character that is not allowed there", "URLの一部に使えない文字がある"),
    ("URLs of this scheme cannot contain a user name or password", "このスキームのURLにはユーザ名もパスワードも書けない"),
    ("the host has a character that is not allowed there", "ホストに使えない文字がある"),
    ("a label of the host is too long", "ホストのラベルが長すぎる"),
    ("the host is too long", "ホストが長すぎる"),
    ("the host does not fit in a DNS message", "ホストがDNSメッセージに収まらない"),
    ("the port has a character that is not allowed there", "ポートに使えない文字がある"),
    ("`;` is reserved in the path of an ftp URL", "`;`はftp URLのパスでは予約されている"),
    ("an http search has a character that is reserved there", "httpの検索文字列に予約された文字がある"),
    ("the gopher type is a tab or a line end", "gopherのタイプがタブまたは改行である"),
    ("a gopher selector contains a tab or a line end, or a search a tab", "gopherのセレクタにタブか改行、または検索文字列にタブがある"),
    ("a gopher search contains a line end", "gopherの検索文字列に改行がある"),
    ("the address contains a control character", "アドレスに制御文字が含まれている"),
    ("a newsgroup name must start with a letter", "ニュースグループ名は英字で始まらなければならない"),
    ("a Message-ID has a character that is not allowed before its `@`", "Message-IDの`@`の前に使えない文字がある"),
    ("a part of a WAIS URL is empty", "WAIS URLの一部が空である"),
    ("a part of a WAIS URL has an unencoded character", "WAIS URLの一部に符号化されていない文字がある"),
    ("write its escape", "そのエスケープを書く"),
    ("write its escape: the BNF of `search` does not allow it raw", "そのエスケープを書く。BNFの`search`はそのままの文字を許さない"),
    ("the profile `current` reads it by a later document, `rfc1738` as an unknown scheme", "プロファイル`current`は後の文書に従って、`rfc1738`は未知のスキームとして読む"),
];
