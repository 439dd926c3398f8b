import copy
import multiprocessing
import pickle

import pyarrow as pa
import pytest
import urlwise

OBJECTS = {
    "Url": lambda: urlwise.parse("ftp://joe:s3cret@h.dom/a%20b;type=i#x", profile="current"),
    "strict Url": lambda: urlwise.parse("http://h.dom/", profile="rfc1738"),
    "Diagnosis": lambda: urlwise.diagnose("http://h.dom/\u00fc b", profile="rfc1738"),
    "Diagnosis of bytes": lambda: urlwise.diagnose("http://h.dom/\u00fc b".encode()),
    "Diagnosis of a lone surrogate": lambda: urlwise.diagnose("http://h.dom/\ud800"),
    "Problem": lambda: urlwise.diagnose("http://h.dom/a b").problems[0],
    "Comparison": lambda: urlwise.same("http://a.dom/", "http://b.dom/"),
    "Repair": lambda: urlwise.repair("URL:http://h.dom/a b"),
    "refused Repair": lambda: urlwise.repair("http://a\\@b/"),
    "Change": lambda: urlwise.repair("http://h.dom/a b").changes[0],
    "Suggestion": lambda: urlwise.repair("htp://h.dom/").suggestions[0],
    "Found": lambda: urlwise.find("\u00fc http://h.dom/")[0],
    "Reason": lambda: urlwise.guard("http://127.0.0.1/").reasons[0],
    "Verdict": lambda: urlwise.guard("http://127.0.0.1/"),
    "good Verdict": lambda: urlwise.guard("http://8.8.8.8/"),
    "Agreement": lambda: urlwise.agree("http://h.dom/"),
}


def plain(value):
    """What an object says, down to its plain values."""
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if type(value).__module__ != "urlwise":
        return value
    fields = [name for name in dir(value) if not name.startswith("_") and name != "with_part"]
    return type(value), str(value), [(name, plain(getattr(value, name))) for name in fields]


@pytest.mark.parametrize("name", OBJECTS)
def test_every_object_can_be_copied_and_pickled(name):
    value = OBJECTS[name]()
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        restored = pickle.loads(pickle.dumps(value, protocol))
        assert plain(restored) == plain(value) and restored == value
    assert plain(copy.copy(value)) == plain(copy.deepcopy(value)) == plain(value)


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_that_say_the_same_are_equal_and_have_one_hash(name):
    one, two = OBJECTS[name](), OBJECTS[name]()
    assert one == two and not one != two and one != "x"
    for other, make in OBJECTS.items():
        assert other == name or one != make(), other
    if name != "Agreement":  # its readings are a dict
        assert len({one, two}) == 1


def test_what_answers_a_question_is_true_or_false():
    assert urlwise.diagnose("http://h.dom/") and not urlwise.diagnose("http://h.dom/a b") and not urlwise.diagnose("x")
    assert urlwise.guard("http://8.8.8.8/") and urlwise.repair("http://h.dom/") and not urlwise.same("x:a", "x:b")


def test_columns_can_be_pickled_as_arrays_of_pyarrow():
    columns = urlwise.columns(pa.array(["http://h.dom/"]), ["host"])
    with pytest.raises(TypeError, match="cannot pickle"):
        pickle.dumps(columns)
    assert pickle.loads(pickle.dumps(pa.array(columns))).to_pylist() == [{"host": "h.dom"}]
    chunked = urlwise.columns(pa.chunked_array([["http://h.dom/"]]), ["host"])
    assert pickle.loads(pickle.dumps(pa.chunked_array(chunked))).to_pylist() == [{"host": "h.dom"}]


def test_a_pool_of_processes_gets_them():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(urlwise.parse, ["http://h.dom/"]) == [urlwise.parse("http://h.dom/")]
        assert not pool.apply(urlwise.guard, ["http://127.0.0.1/"])
        with pytest.raises(urlwise.ParseError, match="bnf-char") as caught:
            pool.apply(urlwise.parse, ["http://h.dom/a b"])
    assert caught.value.start == 14


def test_what_is_pickled_is_read_again_and_not_trusted():
    restore, (name, fields) = urlwise.parse("http://h.dom/").__reduce__()
    assert (name, fields) == ("Url", ("http://h.dom/", "current"))
    with pytest.raises(urlwise.ParseError):
        restore("Url", ("http://h o/", "current"))
    with pytest.raises(ValueError, match="no class"):
        restore("Nothing", ())
    with pytest.raises(ValueError):
        restore("Found", ("http://h/",))
