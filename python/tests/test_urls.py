import importlib.metadata
import pickle

import pyarrow as pa
import pytest
import urlwise


def test_parts_are_absent_empty_or_there():
    url = urlwise.parse("ftp://myname@HOST.dom/%2Fetc/caf%E9;type=a")
    assert (url.scheme, url.user, url.password, url.host, url.port) == ("ftp", "myname", None, "HOST.dom", 21)
    assert url.port_written is None and url.host_kind == "name" and url.profile == "current"
    assert url.parts["cwds"] == ["/etc"] and url.parts["name"] == b"caf\xe9" and url.parts["typecode"] == "a"
    assert url.raw_parts["cwds"] == ["%2Fetc"]
    start, end = url.spans["name"]
    assert str(url)[start:end] == "caf%E9"
    assert urlwise.parse("http://h/?#").query == "" and urlwise.parse("http://h/?#").fragment == ""
    assert urlwise.parse("http://h/").query is None and urlwise.parse("http://h/").fragment is None
    assert urlwise.parse(b"http://h:81/").port == 81


def test_urls_are_values():
    url, same, other = (urlwise.parse(text) for text in ("http://h/#a", "http://h/#a", "http://h/#b"))
    assert url == same and url != other and hash(url) == hash(same) and len({url, same, other}) == 2
    assert url != "http://h/#a"
    assert str(url.with_part("host", "g.dom")) == "http://g.dom/#a"
    with pytest.raises(ValueError, match="no part"):
        url.with_part("cwd", "x")


def test_passwords_are_masked_where_nobody_asked_for_them():
    assert "s3cret" not in repr(urlwise.parse("ftp://joe:s3cret@h/"))
    assert urlwise.parse("ftp://joe:s3cret@h/").password == "s3cret"
    with pytest.raises(urlwise.ParseError) as caught:
        urlwise.parse("ftp://joe:s3cret@h o/")
    assert "s3cret" not in str(caught.value) + repr(caught.value)
    assert all("s3cret" not in repr(found) for found in urlwise.find("see ftp://joe:s3cret@h/ "))


def test_a_lone_surrogate_is_an_octet_that_no_url_has():
    text = "http://h/\ud800"
    with pytest.raises(urlwise.ParseError) as caught:
        urlwise.parse(text)
    assert (caught.value.code, caught.value.start, caught.value.end) == ("bnf-char", 9, 10)
    assert not urlwise.diagnose(text).valid and "error" in urlwise.agree(text, ["rfc1738", "whatwg"]).readings["rfc1738"]
    for function in urlwise.normalize, urlwise.explain, urlwise.repair, urlwise.find, lambda text: urlwise.same(text, text):
        try:
            function(text)
        except urlwise.ParseError:
            pass


def test_a_fragment_belongs_to_what_is_parsed_and_not_to_what_is_diagnosed():
    text = "http://a.dom/#f"
    assert urlwise.parse(text).fragment == "f"
    assert pa.array(urlwise.columns(pa.array([text]), ["valid", "fragment"])).to_pylist() == [{"valid": True, "fragment": "f"}]
    diagnosis = urlwise.diagnose(text)
    assert not diagnosis and [problem.code for problem in diagnosis.problems] == ["bnf-char"]


@pytest.mark.parametrize("text", ["http://a.dom/#a b", "http://a.dom/x y#a b", "#a", "http://a b#c", "x", "http://a.dom/#a#b"])
@pytest.mark.parametrize("profile", ["current", "rfc1738"])
def test_parse_names_the_error_that_the_columns_have(text, profile):
    names = ["problem", "problem:start", "problem:end"]
    [row] = pa.array(urlwise.columns(pa.array([text]), names, profile=profile)).to_pylist()
    for function in urlwise.parse, urlwise.normalize, lambda text, profile: urlwise.same(text, text, profile=profile):
        with pytest.raises(urlwise.ParseError) as caught:
            function(text, profile=profile)
        error = caught.value
        assert [error.code, *error.octets] == list(row.values()), function


def test_the_offsets_in_what_a_problem_says_are_those_beside_it():
    for text in "http://\u00e9\u00e9.dom/ a", "http://\u00e9\u00e9.dom/ a".encode(), "http://h/\U0001f600 \U0001f600":
        for problem in urlwise.diagnose(text).problems:
            assert f" at {problem.start}..{problem.end}: " in str(problem)


def test_the_version_is_that_of_the_package():
    assert urlwise.__version__ == importlib.metadata.version("urlwise")


def test_an_error_has_all_of_the_problem():
    with pytest.raises(urlwise.ParseError) as caught:
        urlwise.parse("http://host.dom/\u00fc b", profile="rfc1738")
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.code, error.level, error.section) == ("bnf-char", "error", "2.2")
    assert (error.start, error.end, error.octets) == (16, 18, (16, 19))
    assert error.message and error.help and str(error).startswith("error[bnf-char] at 16..18: ")
    restored = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(error))))
    assert str(restored) == str(error) and restored.problem.text == error.problem.text
    for name in "code level start end octets spans section decision message help".split():
        assert getattr(restored, name) == getattr(error, name)
    with pytest.raises(AttributeError):
        error.nothing


@pytest.mark.parametrize("text", ["", "\udcff", "http://h/\x00", b"\xff", "a" * (1 << 20), b"http://" + b"\xe9" * 1000])
def test_texts_of_any_kind_raise_nothing_but_value_errors(text):
    for call in (urlwise.parse, urlwise.normalize, urlwise.diagnose, urlwise.repair, urlwise.explain, urlwise.find, urlwise.agree):
        try:
            call(text)
        except ValueError:
            pass


@pytest.mark.parametrize("other", [None, 1, ["http://h/"], bytearray(b"http://h/")])
def test_other_types_are_type_errors(other):
    for call in (urlwise.parse, urlwise.diagnose, urlwise.explain, urlwise.find):
        with pytest.raises(TypeError, match="str or bytes"):
            call(other)


def test_diagnose_says_everything():
    found = urlwise.diagnose("http://host.dom/a b~", profile="rfc1738")
    assert not found.valid and found.scheme == "http" and found.parts["host"] == "host.dom"
    assert [(problem.code, problem.spans) for problem in found.problems] == [("bnf-char", [(17, 18), (19, 20)])]
    assert found.repaired == "http://host.dom/a%20b%7E"
    assert urlwise.diagnose("htp://host.dom/").suggestions == ["http://host.dom/"]
    assert urlwise.diagnose("http://host.dom/").problems == []


def test_explain_draws_the_url_with_its_problems_and_masks_passwords():
    text = urlwise.explain("ftp://jim:s3cret@host.dom/a b")
    assert text.startswith("ftp://jim:***@host.dom/a b\n┬──") and "s3cret" not in text
    assert "error[bnf-char]: a space (20) is not allowed" in text
    assert "help: write it like this" in text and " + ftp://jim:***@host.dom/a%20b" in text
    assert urlwise.explain(b"ftp://jim:s3cret@host.dom/a b") == text


def test_explain_keeps_to_the_profile_the_width_and_ascii():
    lines = urlwise.explain("http://host.dom/a b?q#top", width=40).splitlines()
    assert 36 < max(map(len, lines)) <= 40
    assert urlwise.explain("http://host.dom/\u00e9", ascii=True).isascii()
    strict, today = (urlwise.explain("http://host.dom/~a", profile=name) for name in ("rfc1738", "current"))
    assert "Not a valid RFC 1738 URL: 1 error." in strict and "error" not in today
    for width in 39, -1, 121:
        with pytest.raises(ValueError, match=f"40 to 120 columns, not {width}"):
            urlwise.explain("http://host.dom/", width=width)
    with pytest.raises(ValueError, match="unknown profile"):
        urlwise.explain("http://host.dom/", profile="rfc")


def test_repair_guesses_nothing():
    fixed = urlwise.repair("URL:http://host.dom/a b")
    assert fixed and fixed.url == "http://host.dom/a%20b" and len(fixed.changes) >= 2 and fixed.reason is None
    refused = urlwise.repair("http://host.dom\\@evil.dom/")
    assert not refused and refused.url is None and refused.code == "backslash" and refused.reason


def test_normal_forms_and_comparing():
    assert urlwise.normalize("HTTP://Host.dom:80/%7ejim#X") == "http://host.dom/%7Ejim#X"
    assert urlwise.normalize("HTTP://Host.dom:80/", level="safe") == "http://host.dom/"
    with pytest.raises(ValueError, match="level"):
        urlwise.normalize("http://h/", level="x")
    assert urlwise.same("http://host.dom/%7Ejim", "http://HOST.dom:80/~jim")
    different = urlwise.same("http://a.dom/#x", "http://a.dom/#y")
    assert not different and different.part == "fragment"
    assert urlwise.same("http://a.dom/", "http://b.dom/").part == "host"


def test_find_counts_characters_of_str_and_octets_of_bytes():
    text = "\u00fc\u4e2d see http://a.dom/x, then <URL:ftp://b.dom/y>. \U0001f600 news:c.d"
    found = urlwise.find(text)
    assert [str(hit) for hit in found] == ["http://a.dom/x", "ftp://b.dom/y", "news:c.d"]
    assert all(text[hit.start : hit.end] == hit.url for hit in found)
    octets = text.encode()
    assert all(octets[hit.start : hit.end].decode() == hit.url for hit in urlwise.find(octets))


def test_build_encodes_and_refuses():
    built = urlwise.build("ftp", host="host.dom", port=2121, cwd=["/etc", "a b"], name="x;y", typecode=None)
    assert built == "ftp://host.dom:2121/%2Fetc/a%20b/x%3By"
    for parts in ({}, {"host": "h o"}, {"host": "h", "nothing": "x"}):
        with pytest.raises(ValueError):
            urlwise.build("ftp", **parts)
    assert urlwise.build("gopher", host="h.dom", port=70) == "gopher://h.dom:70"
    assert urlwise.build("ftp", host="h.dom", cwd=[1, b"2"], name=3) == "ftp://h.dom/1/2/3"
    assert str(urlwise.parse("http://h.dom/").with_part("port", 81)) == "http://h.dom:81/"
    for port in -1, 2**70, 65536:
        with pytest.raises(ValueError, match="port"):
            urlwise.build("ftp", host="h.dom", port=port)
    for host in 1.5, ["h.dom", None], [["h.dom"]]:
        with pytest.raises(TypeError, match="host is str, bytes or int, not (float|NoneType|list)"):
            urlwise.build("ftp", host=host)


def test_parts_that_make_no_url_are_a_parse_error_in_the_text_that_they_make():
    url = urlwise.parse("ftp://joe:s3cret@h.dom/x#top")
    for refused in (
        lambda host: urlwise.build("ftp", user="joe", password="s3cret", host=host),
        lambda host: url.with_part("host", host),
    ):
        for host, code, place in (("h o", "host-char", " "), ("\u00fc o", "host-char", "\u00fc ")):
            with pytest.raises(urlwise.ParseError) as caught:
                refused(host)
            error = caught.value
            assert (error.code, error.built[error.start : error.end]) == (code, place), error
            assert "s3cret" in error.built and "s3cret" not in str(error) + repr(error)
            assert error.built.encode()[slice(*error.octets)].decode() == place
    with pytest.raises(urlwise.ParseError) as caught:
        urlwise.build("nntp", host="host.dom")
    assert (caught.value.built, caught.value.message) == ("nntp://host.dom", str(caught.value.problem.message))
    for call in (
        lambda: urlwise.build("ftp", host="h", nothing="x"),
        lambda: urlwise.build("ftp", password="x"),
        lambda: url.with_part("nothing", "x"),
    ):
        with pytest.raises(ValueError) as caught:
            call()
        assert type(caught.value) is ValueError
    with pytest.raises(urlwise.ParseError) as caught:
        urlwise.parse("http://h o/")
    assert caught.value.built is None


def test_an_argument_of_a_wrong_type_is_named():
    url = "http://h.dom/"
    for call, said in (
        (lambda: urlwise.guard(url, resolve=1), "resolve is bool, not int"),
        (lambda: urlwise.guard(url, allow_private="no"), "allow_private is bool, not str"),
        (lambda: urlwise.guard(url, timeout="1"), "timeout is float, not str"),
        (lambda: urlwise.guard(url, profile=1), "profile is str, not int"),
        (lambda: urlwise.parse(url, profile=None), "profile is str, not NoneType"),
        (lambda: urlwise.normalize(url, level=1), "level is str, not int"),
        (lambda: urlwise.explain(url, width="80"), "width is int, not str"),
        (lambda: urlwise.explain(url, ascii=0), "ascii is bool, not int"),
        (lambda: urlwise.explain(url, profile=1), "profile is str or None, not int"),
        (lambda: urlwise.build(1), "scheme is str, not int"),
        (lambda: urlwise.address_class(1), "address is str, not int"),
        (lambda: urlwise.columns([], ["host"], profile=1), "profile is str, not int"),
        (lambda: urlwise.parse(url).with_part(1, "x"), "name is str, not int"),
    ):
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value) == said


def test_what_is_shown_of_objects_has_what_they_say():
    assert repr(urlwise.repair("http://h.dom/a b").changes[0]).startswith("<urlwise.Change ")
    suggestion = urlwise.repair("htp://joe:s3cret@h.dom/").suggestions[0]
    assert str(suggestion) == suggestion.url == "http://joe:s3cret@h.dom/"
    assert repr(suggestion).startswith("<urlwise.Suggestion http://joe:***@h.dom/: ")
    assert urlwise.ParseError.__module__ == "urlwise"
    for name in urlwise.__all__:
        shown = getattr(urlwise, name)
        assert shown.__doc__, name
        for field, value in vars(shown).items() if isinstance(shown, type) and name != "Agreement" else ():
            assert field.startswith("_") or value.__doc__, f"{name}.{field}"


def test_unknown_profiles_are_refused():
    for call in (urlwise.parse, urlwise.diagnose, urlwise.find, urlwise.agree):
        with pytest.raises(ValueError, match="profile"):
            call("http://h/", profile="rfc3986")
