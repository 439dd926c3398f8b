import duckdb
import polars
import pyarrow as pa
import pytest
import urlwise

URLS = ["https://joe@host.dom:8443/a?b#c", "no url", None, "ftp://[::1]/x", ""]
NAMES = ["host", "port", "valid", "problem", "url"]
EXPECTED = [
    {"host": "host.dom", "port": 8443, "valid": True, "problem": None, "url": URLS[0].encode()},
    {"host": None, "port": None, "valid": False, "problem": "scheme-missing", "url": b"no url"},
    {"host": None, "port": None, "valid": None, "problem": None, "url": None},
    {"host": "[::1]", "port": 21, "valid": True, "problem": None, "url": b"ftp://[::1]/x"},
]


def expected():
    last = urlwise.diagnose("").problems[0].code
    return [*EXPECTED, {"host": None, "port": None, "valid": False, "problem": last, "url": b""}]


@pytest.mark.parametrize(
    "kind",
    [
        pa.string(),
        pa.large_string(),
        pa.binary(),
        pa.large_binary(),
        pa.string_view(),
        pa.binary_view(),
        pa.dictionary(pa.int32(), pa.string()),
        pa.dictionary(pa.int8(), pa.large_string()),
    ],
    ids=str,
)
def test_every_type_of_text_is_read(kind):
    array = pa.array(URLS, pa.string()).cast(kind) if "dictionary" not in str(kind) else pa.array(URLS).dictionary_encode().cast(kind)
    table = pa.array(urlwise.columns(array, NAMES))
    table.validate(full=True)
    assert table.to_pylist() == expected()
    sliced = pa.array(urlwise.columns(array[1:4], NAMES))
    assert sliced.to_pylist() == expected()[1:4]
    assert pa.array(urlwise.columns(array[:0], NAMES)).to_pylist() == []


def test_types_of_fields():
    table = pa.array(urlwise.columns(pa.array(["http://h/"]), ["host", "port", "valid", "path:decoded"]))
    kinds = [field.type for field in table.type]
    assert kinds == [pa.string(), pa.uint32(), pa.bool_(), pa.binary()]
    table = pa.array(urlwise.columns(pa.array(["http://h/"], pa.large_string()), ["host"]))
    assert table.type.field("host").type == pa.large_string()


def test_streams_give_chunks():
    chunked = pa.chunked_array([URLS[:2], URLS[2:], []], pa.string())
    table = pa.chunked_array(urlwise.columns(chunked, NAMES))
    assert table.to_pylist() == expected()
    empty = pa.chunked_array(urlwise.columns(pa.chunked_array([], pa.string()), NAMES))
    assert empty.to_pylist() == [] and empty.type.field("port").type == pa.uint32()


def test_polars_and_duckdb():
    series = polars.Series("url", URLS)
    table = polars.Series(urlwise.columns(series, ["host", "port"]))
    assert table.struct.field("port").to_list() == [8443, None, None, 21, None]
    connection = duckdb.connect()
    relation = connection.sql("select * from (values ('http://a.dom/'), ('ftp://b.dom/')) t(url)")
    urls = relation.to_arrow_table().column("url")
    assert pa.chunked_array(urlwise.columns(urls, ["host"])).to_pylist() == [{"host": "a.dom"}, {"host": "b.dom"}]


def test_threads_read_the_same():
    rows = [f"http://host{i % 977}.dom:{i % 70000}/{'x' * (i % 50)}" for i in range(50_000)] + ["\u00fc"]
    array = pa.array(rows)
    one = pa.array(urlwise.columns(array, NAMES))
    many = pa.array(urlwise.columns(array, NAMES, threads=3))
    many.validate(full=True)
    assert one.equals(many)


def test_large_rows_are_read():
    long = "http://h/" + "a" * (16 << 20)
    table = pa.array(urlwise.columns(pa.array([long, "http://g/"]), ["path", "host"])).to_pylist()
    assert (len(table[0]["path"]), table[1]["host"]) == (len(long) - 8, "g")


def test_octets_that_are_not_utf8_are_read():
    table = pa.array(urlwise.columns(pa.array([b"http://\xff/", b"http://h/"], pa.binary()), ["url", "valid"]))
    assert table.to_pylist() == [{"url": b"http://\xff/", "valid": False}, {"url": b"http://h/", "valid": True}]


@pytest.mark.parametrize("array", [pa.array([1]), pa.array([["http://h/"]]), pa.array([1]).dictionary_encode()], ids=str)
def test_other_types_are_type_errors(array):
    with pytest.raises(TypeError, match="strings or binaries"):
        urlwise.columns(array, NAMES)


def test_what_is_no_array_and_unknown_columns_are_refused():
    with pytest.raises((TypeError, ValueError)):
        urlwise.columns(["http://h/"], NAMES)
    with pytest.raises(ValueError, match="hots"):
        urlwise.columns(pa.array(URLS), ["hots"])


def test_every_column_has_a_name():
    names = urlwise.column_names()
    assert {"scheme", "host", "port", "valid", "problem", "agree", "normal:scheme"} <= set(names)
    assert len(pa.array(urlwise.columns(pa.array(URLS), names)).to_pylist()) == len(URLS)


def test_nulls_alone():
    assert pa.array(urlwise.columns(pa.nulls(3), ["host"])).to_pylist() == [{"host": None}] * 3
