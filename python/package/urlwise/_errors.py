"""The error of functions that need a URL."""


class ParseError(ValueError):
    """The text is not a URL.

    Has all of the first problem's data: `code`, `level`, `start` and `end` (in characters of a str, in octets of bytes), `octets`,
    `section`, `decision`, `message` and `help`. `str(error)` says it in one line that never holds a password.
    """

    def __init__(self, problem):
        super().__init__(str(problem))
        self.problem = problem

    def __getattr__(self, name):
        if name.startswith("_") or name == "problem":
            raise AttributeError(name)
        return getattr(self.problem, name)

    def __reduce__(self):
        # A problem is of the native half; its words are what crosses processes.
        return (_restored, (str(self),))


class _Words:
    """What is left of a problem that came from another process."""

    def __init__(self, words):
        self._words = words

    def __str__(self):
        return self._words


def _restored(words):
    return ParseError(_Words(words))
