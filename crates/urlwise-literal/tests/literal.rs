//! URLs in source: what compiles is the URL that stands there. What must not compile stands in the documentation of the macro.

use urlwise::{Profile, Url};
use urlwise_literal::url;

macro_rules! through_a_macro {
    ($literal:literal) => {
        url!($literal)
    };
}

#[test]
fn a_literal_is_the_url_that_stands_there() {
    let url: Url<&'static str> = url!("ftp://@host.dom/a%20b;type=a");
    assert_eq!(url.as_str(), "ftp://@host.dom/a%20b;type=a");
    assert_eq!(url.profile(), Profile::Rfc1738);
    assert_eq!(url!(r"news:*").as_str(), "news:*");
    assert_eq!(through_a_macro!("gopher://host.dom/").port_or_default(), Some(70));
}

#[test]
fn the_profile_comes_first() {
    assert_eq!(url!(current, "https://[::1]/~jim").profile(), Profile::Current);
    assert_eq!(url!(rfc1738, "https:anything").profile(), Profile::Rfc1738);
}
