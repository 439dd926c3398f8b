//! A URL explained as text.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use urlwise::Language;
use urlwise_explain::{Explanation, Look};

use crate::{arguments, octets};

/// So many problems are drawn, as by the program; the others are counted.
const MOST_PROBLEMS: usize = 20;

/// explain(url, *, profile=None, width=80, ascii=False)
///
/// The URL drawn with its parts, its meaning, its problems and what was meant, as `urlwise explain` prints it, without the
/// dialogue that opening it would cause. Without a profile, it also says where the two profiles differ. `width` is 40 to 120
/// columns; with `ascii`, other characters are escaped. Passwords are masked. A text that is not a URL is explained, too.
#[pyfunction]
#[pyo3(signature = (url, *, profile = None, width = 80, ascii = false))]
pub fn explain(
    url: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = arguments::profile_or_none)] profile: Option<&str>,
    #[pyo3(from_py_with = arguments::width)] width: i64,
    #[pyo3(from_py_with = arguments::ascii)] ascii: bool,
) -> PyResult<String> {
    let asked = profile.map(crate::profile).transpose()?;
    let width = usize::try_from(width)
        .ok()
        .filter(|width| Look::WIDTHS.contains(width))
        .ok_or_else(|| PyValueError::new_err(format!("width is 40 to 120 columns, not {width}")))?;
    let octets = octets(url)?;
    let explanation = Explanation::of(&octets, asked, false);
    Ok(explanation.text(Look { color: false, ascii, width, language: Language::En }, MOST_PROBLEMS, &[]))
}
