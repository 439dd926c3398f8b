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
    /// The first octets or escape that the part may not hold under the profile. What only the whole part can be judged by, as
    /// the form of a host or of an address, is not looked at.
    pub fn decode<'a>(&'static self, text: &'a [u8], profile: Profile) -> Result<Cow<'a, [u8]>, Problem<'a>> {
        match reader::explain(text, profile, |reader| reader.scan(self, Until::End)) {
            Err(finding) => Err(Problem::new(text, finding)),
            // A part without escapes holds no `%`.
            Ok(_) => Ok(encoded::decode(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::grammar::{FSEGMENT, USER};
    use crate::profile::Profile;

    #[test]
    fn wrong_octets_that_stand_together_are_one_problem_up_to_the_next_that_may_stand_there() {
        for (text, span) in [
            (&b"a \"\\b\""[..], 1..4),
            (b"a\t\xC2\x91\xFF\"", 1..6),
            (b"a\"%41", 1..2),
            (b"a\"%4", 1..2),
            (b"a%4\"", 1..2),
            (b"\"\"~", 0..2),
        ] {
            let problem = FSEGMENT.decode(text, Profile::Current).expect_err("no segment holds them");
            assert_eq!(problem.span(), span, "{text:?}");
        }
        // Each of these has a reason of its own.
        let of_a_path = crate::grammar::FTP_PATH.decode(b"a;\"b", Profile::Rfc1738).expect_err("no path holds them");
        assert_eq!((of_a_path.code(), of_a_path.span()), ("ftp-semicolon", 1..2));
        assert_eq!(USER.decode(b"a@:/b", Profile::Rfc1738).expect_err("no user holds them").span(), 1..4);
    }
}
