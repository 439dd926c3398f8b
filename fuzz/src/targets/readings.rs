//! Any octets as all readers see them: none panics, errors are clean, a reading depends on no other reader, and what is shown has no
//! control characters.

use crate::text::is_clean;
use urlwise::Profile;
use urlwise_readings::{Reader, Readings};

pub(crate) fn run(octets: &[u8]) {
    for &profile in Profile::ALL {
        let all = Readings::by(octets, profile, Reader::ALL);
        for (reader, reading) in all.iter() {
            assert!(reading.error().is_none_or(|error| is_clean(&error)), "{reader:?}");
            assert!(reader.read(octets, profile) == *reading, "{reader:?}");
            if let Some(parts) = reading.parts() {
                assert!(is_clean(&all.shown(&parts.path)));
            }
        }
        assert_eq!(all.agree(), all.differs().is_empty());
        let standards = Readings::of(octets, profile);
        assert!(is_clean(&standards.sentence()));
    }
}
