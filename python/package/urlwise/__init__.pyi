from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, final

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

__version__: str

_Text = str | bytes
_Profile = Literal["current", "rfc1738"]
_Part = str | bytes | list[str | bytes]

@final
class Problem:
    code: str
    level: Literal["error", "warning", "note"]
    start: int
    end: int
    octets: tuple[int, int]
    spans: list[tuple[int, int]]
    section: str
    decision: str | None
    message: str
    help: str | None
    text: str

class ParseError(ValueError):
    def __init__(self, problem: Problem, built: _Text | None = None) -> None: ...
    problem: Problem
    built: _Text | None
    code: str
    level: Literal["error"]
    start: int
    end: int
    octets: tuple[int, int]
    spans: list[tuple[int, int]]
    section: str
    decision: str | None
    message: str
    help: str | None

@final
class Url:
    @property
    def scheme(self) -> str: ...
    @property
    def user(self) -> str | None: ...
    @property
    def password(self) -> str | None: ...
    @property
    def host(self) -> str | None: ...
    @property
    def host_kind(self) -> Literal["name", "ipv4", "ipv6"] | None: ...
    @property
    def port(self) -> int | None: ...
    @property
    def port_written(self) -> str | None: ...
    @property
    def path(self) -> str: ...
    @property
    def query(self) -> str | None: ...
    @property
    def fragment(self) -> str | None: ...
    @property
    def profile(self) -> _Profile: ...
    @property
    def parts(self) -> dict[str, _Part]: ...
    @property
    def raw_parts(self) -> dict[str, _Part]: ...
    @property
    def spans(self) -> dict[str, tuple[int, int] | list[tuple[int, int]]]: ...
    def with_part(self, name: str, value: _Text | int | None) -> Url: ...
    def __hash__(self) -> int: ...

@final
class Diagnosis:
    valid: bool
    problems: list[Problem]
    repaired: str | None
    suggestions: list[str]
    @property
    def scheme(self) -> str | None: ...
    @property
    def parts(self) -> dict[str, _Part]: ...
    def __bool__(self) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Comparison:
    same: bool
    part: str | None
    reason: str
    def __bool__(self) -> bool: ...

@final
class Change:
    code: str
    start: int
    end: int
    now: str
    section: str
    decision: str | None
    message: str

@final
class Suggestion:
    url: str
    why: str

@final
class Repair:
    url: str | None
    changes: list[Change]
    reason: str | None
    code: str | None
    suggestions: list[Suggestion]
    def __bool__(self) -> bool: ...

@final
class Found:
    url: str
    start: int
    end: int
    valid: bool
    alternative: str | None

@final
class Reason:
    code: str
    message: str

@final
class Verdict:
    ok: bool
    reasons: list[Reason]
    hosts: dict[str, str | None]
    addresses: list[str] | None
    def __bool__(self) -> bool: ...

@dataclass(frozen=True)
class Agreement:
    ok: bool
    differs: tuple[str, ...]
    readings: dict[str, dict[str, Any]]
    def __bool__(self) -> bool: ...

def parse(url: _Text, *, profile: _Profile = "current") -> Url: ...
def diagnose(text: _Text, *, profile: _Profile = "current") -> Diagnosis: ...
def explain(url: _Text, *, profile: _Profile | None = None, width: int = 80, ascii: bool = False) -> str: ...
def normalize(url: _Text, *, level: Literal["safe", "scheme"] = "scheme", profile: _Profile = "current") -> str: ...
def same(url: _Text, other: _Text, *, profile: _Profile = "current") -> Comparison: ...
def repair(text: _Text, *, profile: _Profile = "current") -> Repair: ...
def find(text: _Text, *, profile: _Profile = "current") -> list[Found]: ...
def build(
    scheme: str, *, profile: _Profile = "current", **parts: _Text | int | list[_Text | int] | tuple[_Text | int, ...] | None
) -> str: ...
def agree(url: _Text, readers: Iterable[str] | None = None, *, profile: _Profile = "current") -> Agreement: ...
def guard(
    url: _Text,
    allow_schemes: Iterable[str] | None = None,
    allow_hosts: Iterable[str] | None = None,
    allow_private: bool = False,
    readers: Iterable[str] | None = None,
    *,
    resolve: bool = False,
    timeout: float = 10.0,
    profile: _Profile = "current",
) -> Verdict: ...
def columns(
    array: _ArrowArray | _ArrowStream, names: Iterable[str], *, profile: _Profile = "current", threads: int | None = 1
) -> Any: ...
def column_names() -> list[str]: ...
def address_class(address: str) -> str: ...
