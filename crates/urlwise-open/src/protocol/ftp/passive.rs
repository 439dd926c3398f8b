//! The port of a data connection, from the replies to `EPSV` and `PASV` (S-24 and S-25).
//!
//! Only the port is taken. The address in a `PASV` reply may be wrong behind NAT, or a target that a hostile server wants us to
//! attack, so the data connection always goes to the address of the control connection.

use crate::protocol::digits::number;

/// The port of a reply `229 ... (|||6446|)`, RFC 2428 section 3; the delimiter may be any printable character.
pub(super) fn epsv(text: &[u8]) -> Option<u16> {
    let inside = parenthesised(text)?;
    let delimiter = *inside.first().filter(|octet| octet.is_ascii_graphic() && !octet.is_ascii_digit())?;
    let fields: Vec<&[u8]> = inside.split(|octet| *octet == delimiter).collect();
    // Protocol and address are empty: they are those of the control connection.
    match fields[..] {
        [b"", b"", b"", port, b""] => usable(number(port)?),
        _ => None,
    }
}

/// The port of a reply `227 ... (127,0,0,1,25,46)`, RFC 959 section 4.1.2. The parentheses may be missing (RFC 1123 section 4.1.2.6).
pub(super) fn pasv(text: &[u8]) -> Option<u16> {
    let mut runs = text.split(|octet| !octet.is_ascii_digit() && *octet != b',');
    let fields = runs.find(|run| run.first().is_some_and(u8::is_ascii_digit) && run.contains(&b','))?;
    let numbers: Option<Vec<u16>> =
        fields.split(|octet| *octet == b',').map(|part| number(part).filter(|n| *n < 256)).collect();
    match numbers?[..] {
        [_, _, _, _, high, low] => usable(high * 256 + low),
        _ => None,
    }
}

fn parenthesised(text: &[u8]) -> Option<&[u8]> {
    let open = text.iter().position(|octet| *octet == b'(')?;
    let inside = &text[open + 1..];
    let close = inside.iter().position(|octet| *octet == b')')?;
    Some(&inside[..close])
}

/// Ports below 1024 belong to services, so a data connection to them is refused.
fn usable(port: u16) -> Option<u16> {
    (port >= 1024).then_some(port)
}

#[cfg(test)]
mod tests {
    use super::{epsv, pasv};

    #[test]
    fn security_25_replies_name_a_port_or_nothing() {
        assert_eq!(epsv(b"Entering Extended Passive Mode (|||6446|)"), Some(6446));
        assert_eq!(epsv(b"ok (!!!65535!) x"), Some(65535));
        for bad in [
            "",
            "|||6446|",
            "(|||6446)",
            "(||6446|)",
            "(|||6446|",
            "(|1||6446|)",
            "(|1|10.0.0.1|6446|)",
            "(|||1023|)",
            "(|||0|)",
            "(|||65536|)",
            "(|||-6446|)",
            "(|||+6446|)",
            "(||||)",
            "(|||6446|x)",
            "(0000644600)",
            "(   6446 )",
        ] {
            assert_eq!(epsv(bad.as_bytes()), None, "{bad}");
        }
        for good in
            ["(192,0,2,7,25,46).", "192,0,2,7,25,46", "=192,0,2,7,25,46.", "(192,0,2,7,25,46", "7 (192,0,2,7,25,46)"]
        {
            assert_eq!(pasv(format!("Entering Passive Mode {good}").as_bytes()), Some(6446), "{good}");
        }
        for bad in [
            "",
            "(192,0,2,7,25)",
            "(192,0,2,7,25,46,1)",
            "(256,0,2,7,25,46)",
            "(192,0,2,7,25,256)",
            "(192,0,2,7,-25,46)",
            "(192,0,2,7,+25,46)",
            "(192,0,2,7, 25,46)",
            "(::1,25,46)",
            "(192,0,2,7,3,255)",
            "(192,0,2,7,0,0)",
            "(192,0,2,7,,46)",
        ] {
            assert_eq!(pasv(bad.as_bytes()), None, "{bad}");
        }
    }
}
