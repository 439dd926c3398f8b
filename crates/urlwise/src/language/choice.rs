//! [`Language`]: which languages there are, and how a program chooses one.

/// The language of messages. Without the features `ja` and `zh` there is only English.
///
/// ```
/// use urlwise::{Language, Profile, diagnose};
///
/// let diagnosis = diagnose("http://host.dom/a b", Profile::Rfc1738);
/// let language = Language::from_locale("ja_JP.UTF-8");
/// let message = diagnosis.problems()[0].message_in(language).to_string();
/// # #[cfg(feature = "ja")]
/// assert_eq!(message, "スペース（20）はhttpのパスでは使えない");
/// # #[cfg(not(feature = "ja"))]
/// # assert_eq!(message, "a space (20) is not allowed in an http path");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Japanese, with the feature `ja`.
    #[cfg(feature = "ja")]
    Ja,
    /// Chinese in simplified characters, with the feature `zh`.
    #[cfg(feature = "zh")]
    Zh,
}

impl Language {
    /// Every language that is built in.
    pub const ALL: &'static [Language] = &[
        Language::En,
        #[cfg(feature = "ja")]
        Language::Ja,
        #[cfg(feature = "zh")]
        Language::Zh,
    ];

    /// The tag of RFC 5646: `en`, `ja` or `zh`.
    pub const fn tag(self) -> &'static str {
        match self {
            Language::En => "en",
            #[cfg(feature = "ja")]
            Language::Ja => "ja",
            #[cfg(feature = "zh")]
            Language::Zh => "zh",
        }
    }

    /// The language's name for itself.
    pub const fn name(self) -> &'static str {
        match self {
            Language::En => "English",
            #[cfg(feature = "ja")]
            Language::Ja => "日本語",
            #[cfg(feature = "zh")]
            Language::Zh => "简体中文",
        }
    }

    /// The language of a tag, by its first subtag and in either case; `None` if it is not built in. All Chinese is [`zh`](Self::tag),
    /// `zh-TW` too.
    ///
    /// ```
    /// use urlwise::Language;
    ///
    /// assert_eq!(Language::from_tag("en-GB"), Some(Language::En));
    /// assert_eq!(Language::from_tag("tlh"), None);
    /// # #[cfg(feature = "zh")]
    /// assert_eq!(Language::from_tag("zh-TW"), Some(Language::Zh));
    /// ```
    pub fn from_tag(tag: &str) -> Option<Language> {
        let primary = tag.split('-').next()?;
        Language::ALL.iter().copied().find(|language| language.tag().eq_ignore_ascii_case(primary))
    }

    /// The language of a POSIX locale, as `LC_ALL`, `LC_MESSAGES` and `LANG` name it: `ja_JP.UTF-8`. English for `C`, `POSIX`, all
    /// that is not built in, and locales with another encoding than UTF-8: their terminals could not show the others.
    ///
    /// ```
    /// use urlwise::Language;
    ///
    /// assert_eq!(Language::from_locale("POSIX"), Language::En);
    /// # #[cfg(feature = "ja")]
    /// assert_eq!(Language::from_locale("ja_JP.UTF-8"), Language::Ja);
    /// # #[cfg(feature = "ja")]
    /// assert_eq!(Language::from_locale("ja_JP.eucJP"), Language::En);
    /// ```
    pub fn from_locale(locale: &str) -> Language {
        let locale = locale.split('@').next().unwrap_or_default();
        let (place, encoding) = locale.split_once('.').unwrap_or((locale, "UTF-8"));
        let is_utf8 = ["utf-8", "utf8"].iter().any(|name| encoding.eq_ignore_ascii_case(name));
        let primary = place.split('_').next().unwrap_or_default();
        Language::from_tag(primary).filter(|_| is_utf8).unwrap_or_default()
    }
}
