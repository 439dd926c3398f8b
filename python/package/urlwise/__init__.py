"""Reads, explains, checks and finds URLs; says where and by which rule one is wrong, and whether readers agree on it.

>>> import urlwise
>>> url = urlwise.parse("ftp://myname@host.dom/%2Fetc/motd")
>>> url.host, url.port, url.parts["cwds"], url.parts["name"]
('host.dom', 21, ['/etc'], 'motd')
>>> urlwise.parse("http://host.dom/a b")
Traceback (most recent call last):
    ...
urlwise.ParseError: error[bnf-char] at 17..18: a space (20) is not allowed in an http path (section 2.2, D-10); write `%20`
>>> urlwise.agree("http://127.0.0.1\\\\@1.1.1.1/").ok
False
>>> urlwise.guard("http://127.0.0.1\\\\@1.1.1.1/", allow_hosts=["*.host.dom"])
<urlwise.Verdict refused: hosts-differ, host-not-allowed, address-private>
"""

from ._agree import Agreement, agree
from ._errors import ParseError
from ._urlwise import (
    Change,
    Comparison,
    Diagnosis,
    Found,
    Problem,
    Reason,
    Repair,
    Suggestion,
    Url,
    Verdict,
    __version__,
    address_class,
    build,
    column_names,
    columns,
    diagnose,
    explain,
    find,
    guard,
    normalize,
    parse,
    repair,
    same,
)

__all__ = [
    "Agreement",
    "Change",
    "Comparison",
    "Diagnosis",
    "Found",
    "ParseError",
    "Problem",
    "Reason",
    "Repair",
    "Suggestion",
    "Url",
    "Verdict",
    "__version__",
    "address_class",
    "agree",
    "build",
    "column_names",
    "columns",
    "diagnose",
    "explain",
    "find",
    "guard",
    "normalize",
    "parse",
    "repair",
    "same",
]
