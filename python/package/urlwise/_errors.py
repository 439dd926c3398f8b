"""The error of functions that need a URL."""

from types import SimpleNamespace


class ParseError(ValueError):
    """The text is not a URL.

    Has all of the first problem's data: `code`, `level`, `start` and `end` (in characters of a str, in octets of bytes), `octets`,
    `spans`, `section`, `decision`, `message` and `help`, also in another process. `str(error)` says it in one line that never holds a
    password.
    """

    def __init__(self, problem):
        super().__init__(str(problem))
        self.problem = problem

    def __getattr__(self, name):
        if name.startswith("_") or name == "problem":
            raise AttributeError(name)
        return getattr(self.problem, name)

    def __reduce__(self):
        # A problem is of the native half; its data is what crosses processes.
        return (_restored, ({name: getattr(self.problem, name) for name in FIELDS},))


FIELDS = ["code", "level", "start", "end", "octets", "spans", "section", "decision", "message", "help", "text"]


class _Restored(SimpleNamespace):
    """A problem that came from another process."""

    def __str__(self):
        return self.text


def _restored(fields):
    return ParseError(_Restored(**fields))
