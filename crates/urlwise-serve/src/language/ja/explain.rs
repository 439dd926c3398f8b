//! What a URL is, and how others read it.

#[rustfmt::skip]
pub(super) const EXPLAIN: &[(&str, &str)] = &[
    ("What this URL is", "このURLについて"),
    ("Why it would not be opened", "開かない理由"),
    ("What later RFCs changed", "後のRFCによる変更"),
    ("What it implies", "URLから分かること"),
    ("And {count} more.", "他に{count}件ある。"),
    ("The dialogue to open it", "開くための対話"),
    ("Repaired: {url}", "修復後：{url}"),
    ("{level}: {message}.", "{level}：{message}。"),
    ("The link leaves out the password.", "リンクにはパスワードが含まれない。"),
    ("Risks are looked for in a valid URL.", "リスクは正しいURLについて調べる。"),
    ("Risks", "リスク"),
    ("{severity} risk", "{severity}リスク"),
    ("{code}, RFC 1738 {section}, refused", "{code}、RFC 1738の{section}、拒否"),
    ("How others read it", "他の読み手の読み方"),
    ("what others read is not shown of so long a text; `urlwise compare` shows it", "これほど長いテキストについては、他の読み手の読み方を示さない。`urlwise compare`が示す"),
    ("What differs from how {reader} reads it is marked.", "{reader}の読み方と異なる箇所に印を付けている。"),
    ("Reader", "読み手"),
    ("differs", "相違"),
    ("rejected", "拒否"),
    ("absent", "なし"),
    ("empty", "空"),
    (", ", "、"),
];
