//! Decoding a text by the rule of a part.

use alloc::borrow::Cow;

use crate::encoded;
use crate::grammar::Production;
use crate::problem::Problem;
use crate::profile::Profile;
use crate::reader::{self, Until};

impl Production {
    /// The octets that a text stands for as this part; borrowed where there is no escape.
    ///
    /// ```
    /// use urlwise::{Profile, grammar};
    ///
    /// assert_eq!(*grammar::FSEGMENT.decode(b"a%3Bb", Profile::Rfc1738).unwrap(), *b"a;b");
    /// let problem = grammar::FSEGMENT.decode(b"a;b", Profile::Rfc1738).unwrap_err();
    /// assert_eq!((problem.code(), problem.span()), ("bnf-char", 1..2));
    /// ```
    ///
    /// # Errors
    /// The first octet or escape that the part may not hold under the profile. What only the whole part can be judged by, as
    /// the form of a host or of an address, is not looked at.
    pub fn decode<'a>(&'static self, text: &'a [u8], profile: Profile) -> Result<Cow<'a, [u8]>, Problem<'a>> {
        match reader::explain(text, profile, |reader| reader.scan(self, Until::End)) {
            Err(finding) => Err(Problem::new(text, finding)),
            Ok(_) if self.escapes => Ok(encoded::decode(text)),
            Ok(_) => Ok(Cow::Borrowed(text)),
        }
    }
}
