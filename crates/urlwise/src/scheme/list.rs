//! The list of schemes, one line each, and the enum that is made of it.

/// Hands the list to a macro: for each scheme its file, which holds the definition, its variant, and its siblings over TLS.
///
/// Everything that names every scheme is generated from this list: the enum, the look-up by name and by number, the way to each
/// reader, [`Locator`](crate::Locator) and the exports. A scheme is added by its file and a line here. The first ten stand in the
/// order of section 3.
macro_rules! schemes {
    ($callback:ident) => {
        $callback! {
            ftp: Ftp, Ftps;
            http: Http, Https;
            gopher: Gopher, Gophers;
            mailto: Mailto;
            news: News, Snews;
            nntp: Nntp, Nntps;
            telnet: Telnet, Telnets;
            wais: Wais;
            file: File;
            prospero: Prospero;
            finger: Finger;
        }
    };
}
pub(crate) use schemes;

macro_rules! scheme {
    ($($file:ident: $base:ident $(, $sibling:ident)*;)*) => {
        /// The schemes of RFC 1738, those of later RFCs and the siblings over TLS that only [`Profile::Current`](crate::Profile)
        /// knows, and all others.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Scheme {
            $(
                #[doc = concat!("`", stringify!($file), "`; [`", stringify!($base), "`](crate::", stringify!($base), ") has its parts.")]
                $base,
            )*
            $($(
                #[doc = concat!("`", stringify!($file), "` over TLS, read like [`Scheme::", stringify!($base), "`].")]
                $sibling,
            )*)*
            /// Any other: RFC 1738 gives it a name and the generic syntax (section 5, `otherurl`).
            Other,
        }

        /// Every scheme by its number.
        pub(crate) const ORDER: [Scheme; COUNT] = [$(Scheme::$base,)* $($(Scheme::$sibling,)*)* Scheme::Other];

        #[allow(non_upper_case_globals, reason = "patterns, named like the variants")]
        mod number {
            use super::Scheme;

            $(pub(super) const $base: u8 = Scheme::$base as u8;)*
            $($(pub(super) const $sibling: u8 = Scheme::$sibling as u8;)*)*
            pub(super) const Other: u8 = Scheme::Other as u8;
        }

        impl Scheme {
            /// The scheme of this number in the order of the enum.
            #[inline]
            pub(crate) const fn from_number(number: u8) -> Option<Scheme> {
                Some(match number {
                    $(number::$base => Scheme::$base,)*
                    $($(number::$sibling => Scheme::$sibling,)*)*
                    number::Other => Scheme::Other,
                    _ => return None,
                })
            }
        }
    };
}

schemes!(scheme);

/// How many there are, [`Scheme::Other`] included.
pub(crate) const COUNT: usize = Scheme::Other as usize + 1;
