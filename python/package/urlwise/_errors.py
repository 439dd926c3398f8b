"""The error of functions that need or make a URL."""


class ParseError(ValueError):
    """The text is not a URL.

    Has all of the first problem's data: `code`, `level`, `start` and `end` (in characters of a str, in octets of bytes), `octets`,
    `spans`, `section`, `decision`, `message` and `help`, also in another process. `str(error)` says it in one line that never holds a
    password.

    Of `build` and `Url.with_part`, `built` is the text that the parts make, in which the offsets count; it may hold a password. Of the
    functions that are given a text it is None.
    """

    def __init__(self, problem, built=None):
        super().__init__(str(problem))
        self.problem = problem
        self.built = built

    def __getattr__(self, name):
        if name.startswith("_") or name in ("problem", "built"):
            raise AttributeError(name)
        return getattr(self.problem, name)

    def __reduce__(self):
        return (ParseError, (self.problem, self.built))


ParseError.__module__ = "urlwise"  # where people find it
