//! The schemes: one file each, which holds the definition, the reader and the typed view.
//!
//! [`list`] names them; everything that has to name every scheme is generated from it.

pub(crate) mod definition;
pub(crate) mod list;
pub(crate) mod mark;
pub(crate) mod nested;
pub(crate) mod other;
mod part;
mod reserved;
pub(crate) mod secret;
mod table;
pub(crate) mod view;

use crate::reader::{Outcome, Reader, Sink};
use list::schemes;
use view::View;

macro_rules! rooms {
    ($($file:ident: $base:ident $(, $sibling:ident)*;)*) => {
        $(pub(crate) mod $file;)*

        /// What the files of the schemes export: the typed views, and the types of their parts.
        pub(crate) mod exports {
            $(pub use super::$file::*;)*
        }

        /// Reads what follows the scheme's colon, to the end of the text. Always compiled into the one place that calls it,
        /// where the scheme was just found by comparison: else it would be looked up again.
        #[inline(always)]
        pub(crate) fn read<S: Sink>(r: &mut Reader<'_, S>, scheme: Scheme) -> Outcome {
            match scheme {
                $(Scheme::$base $(| Scheme::$sibling)* => $file::read(r),)*
                Scheme::Other => other::read(r),
            }
        }

        /// The typed view of a URL: one variant for each scheme with rules of its own, and one for all others. The siblings of
        /// the profile `current` use the view of their base.
        #[derive(Clone, Copy, Debug)]
        #[non_exhaustive]
        pub enum Locator<'a> {
            $(
                #[doc = concat!("A URL of `", stringify!($file), "`", $(" or of [`Scheme::", stringify!($sibling), "`]",)* ".")]
                $base($file::$base<'a>),
            )*
            /// Section 5, `otherurl`.
            Other(other::Other<'a>),
        }

        impl<'a> Locator<'a> {
            #[inline]
            pub(crate) fn new(scheme: Scheme, view: View<'a>) -> Self {
                match scheme {
                    $(Scheme::$base $(| Scheme::$sibling)* => Locator::$base($file::$base(view)),)*
                    Scheme::Other => Locator::Other(other::Other(view)),
                }
            }
        }
    };
}

schemes!(rooms);

pub(crate) use definition::{Definition, Needs, Same};
pub use list::Scheme;
pub(crate) use list::{COUNT, ORDER};
pub use other::Other;
pub use part::PartKind;
pub(crate) use part::{Escapes, Lead, Shape};
pub use reserved::Reserved;
pub(crate) use reserved::is_experimental;
pub(crate) use table::{LONGEST_NAME, known, schemes_where};
pub use view::{Fields, Hostport, Login};
