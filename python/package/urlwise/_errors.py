"""The error of functions that need a URL."""


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
        return (ParseError, (self.problem,))


ParseError.__module__ = "urlwise"  # where people find it
