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
        pa.dictionary(pa.uint16(), pa.binary()),
        pa.dictionary(pa.int64(), pa.string_view()),
    ],
    ids=str,
)
def test_every_type_of_text_is_read(kind):
    if isinstance(kind, pa.DictionaryType):
        keys = pa.array([0, 1, None, 3, 4], kind.index_type)
        texts = pa.array([*URLS[:2], "unused", *URLS[3:]]).cast(kind.value_type)
        array = pa.DictionaryArray.from_arrays(keys, texts)
    else:
        array = pa.array(URLS, pa.string()).cast(kind)
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
    table = pa.array(urlwise.columns(pa.array(["http://h/"], pa.string_view()), ["host", "port", "valid", "path:decoded"]))
    kinds = [field.type for field in table.type]
    assert kinds == [pa.string_view(), pa.uint32(), pa.bool_(), pa.binary_view()]
    table = pa.array(urlwise.columns(pa.array([b"http://h/"], pa.binary_view()), ["host", "url"]))
    assert [field.type for field in table.type] == [pa.string_view(), pa.binary_view()]


def test_parts_of_views_stand_in_the_buffers_that_were_read():
    rows = [None, f"http://{'a' * 30}.Example:81/{'b' * 20}%20", "http://a.b/", "http://short.example", f"http://c/{'d' * 12}", f"http://c/{'d' * 11}", "no url"] * 3000
    array = pa.array(rows, pa.string_view())
    names = ["host", "host:lower", "path", "path:decoded", "url", "problem"]
    copied = pa.array(urlwise.columns(array.cast(pa.string()), names)).to_pylist()
    for threads in 1, 2:
        table = pa.array(urlwise.columns(array, names, threads=threads))
        table.validate(full=True)
        assert table.to_pylist() == copied
        sliced = pa.array(urlwise.columns(array[1:20], names))
        assert sliced.to_pylist() == copied[1:20]
    addresses = {buffer.address for buffer in array.buffers()[2:]}
    assert addresses & {buffer.address for buffer in sliced.field("host").buffers()[2:]}
    # Nothing was made but what is in lower case or decoded.
    made = [sum(buffer.size for buffer in sliced.field(name).buffers()[2:] if buffer.address not in addresses) for name in names]
    assert made[0] == made[2] == made[4] == 0 and made[1] and made[3]


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
    for wrong in ["http://h/"], "http://h/", None:
        with pytest.raises(TypeError, match="stream of Arrow.*not " + type(wrong).__name__):
            urlwise.columns(wrong, NAMES)
    with pytest.raises(ValueError, match="hots"):
        urlwise.columns(pa.array(URLS), ["hots"])


def test_every_column_has_a_name():
    names = urlwise.column_names()
    assert {"scheme", "host", "port", "valid", "problem", "agree", "normal:scheme"} <= set(names)
    assert len(pa.array(urlwise.columns(pa.array(URLS), names)).to_pylist()) == len(URLS)


def test_nulls_alone():
    assert pa.array(urlwise.columns(pa.nulls(3), ["host"])).to_pylist() == [{"host": None}] * 3


def test_a_text_of_a_dictionary_may_stand_in_many_rows_or_be_null():
    texts = pa.array(["http://a/", None, "x", "http://b:81/"])
    keys = [3, 0, 1, 3, None, 2] * 1000
    array = pa.DictionaryArray.from_arrays(pa.array(keys, pa.int32()), texts)
    table = pa.array(urlwise.columns(array, ["host", "port", "valid"], threads=2))
    table.validate(full=True)
    rows = [{"host": "b", "port": 81, "valid": True}, {"host": "a", "port": 80, "valid": True}, dict.fromkeys(["host", "port", "valid"])]
    assert table.to_pylist() == [*rows, rows[0], rows[2], {"host": None, "port": None, "valid": False}] * 1000
    # Fewer rows than texts: only theirs are read.
    assert pa.array(urlwise.columns(array[4:6], ["valid"])).to_pylist() == [{"valid": None}, {"valid": False}]


def test_keys_that_name_no_text_are_refused():
    wrong = pa.DictionaryArray.from_arrays(pa.array([0, 7], pa.int32()), pa.array(["http://a/"]), safe=False)
    with pytest.raises(ValueError, match="bound"):
        urlwise.columns(wrong, ["host"])


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.binary_view()], ids=str)
def test_octets_of_every_kind_come_back(kind):
    rows = [b"http://\xff/", b"\x00", b"", b"http://h/%FF", None]
    table = pa.array(urlwise.columns(pa.array(rows, kind), ["url", "path:decoded", "problem:start"]))
    table.validate(full=True)
    assert [row["url"] for row in table.to_pylist()] == rows
    assert [row["path:decoded"] for row in table.to_pylist()] == [None, None, None, b"/\xff", None]
    assert [row["problem:start"] for row in table.to_pylist()] == [7, 0, 0, None, None]


def test_strings_that_are_not_utf8_are_not_trusted():
    octets, offsets = pa.py_buffer(b"http://h/\xff\xfehttp://g/"), pa.array([0, 11, 20], pa.int32()).buffers()[1]
    table = pa.array(urlwise.columns(pa.Array.from_buffers(pa.string(), 2, [None, offsets, octets]), ["url", "host", "valid"]))
    table.validate(full=True)
    assert table.to_pylist() == [
        {"url": b"http://h/\xff\xfe", "host": None, "valid": False},
        {"url": b"http://g/", "host": "g", "valid": True},
    ]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view(), pa.binary()], ids=str)
def test_rows_of_16_megabytes_are_read(kind):
    rows = ["http://h/" + "a" * (16 << 20), "\u00fc" * (8 << 20), "http://g/"]
    table = pa.array(urlwise.columns(pa.array(rows).cast(kind), ["host", "path:end", "problem:start"]))
    assert table.to_pylist() == [
        {"host": "h", "path:end": len(rows[0]), "problem:start": None},
        {"host": None, "path:end": None, "problem:start": 0},
        {"host": "g", "path:end": 9, "problem:start": None},
    ]


def test_every_slice_is_that_of_the_whole():
    rows = [f"http://h{number}/" if number % 3 else None for number in range(40)]
    whole = [{"host": row and row[7:-1]} for row in rows]
    for kind in [pa.string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())]:
        array = pa.array(rows, pa.string()).dictionary_encode() if "dict" in str(kind) else pa.array(rows, kind)
        for start in range(0, 40, 7):
            for length in (0, 1, 8, 9, 40):
                table = pa.array(urlwise.columns(array[start : start + length], ["host"]))
                table.validate(full=True)
                assert table.to_pylist() == whole[start : start + length]


@pytest.mark.parametrize("kind", [pa.int64(), pa.float64(), pa.bool_(), pa.timestamp("s"), pa.binary(9), pa.list_(pa.string())], ids=str)
def test_arrays_of_other_types_are_type_errors_that_name_the_type(kind):
    with pytest.raises(TypeError, match="URLs are strings or binaries, not "):
        urlwise.columns(pa.array([], kind), ["host"])
    with pytest.raises(TypeError, match="URLs are strings or binaries, not "):
        urlwise.columns(pa.chunked_array([pa.array([None], kind)]), ["host"])
    with pytest.raises(TypeError, match="URLs are strings or binaries, not "):
        urlwise.columns(pa.chunked_array([], kind), ["host"])


def test_nothing_but_nulls_is_null_whatever_has_them():
    nulls = [polars.Series([None, None]), polars.DataFrame({"url": [None, None]}), pa.nulls(2), pa.chunked_array([pa.nulls(2)])]
    for array in nulls:
        read = urlwise.columns(array, ["host", "problem"])
        read = pa.chunked_array(read) if hasattr(read, "__arrow_c_stream__") else pa.array(read)
        assert read.to_pylist() == [{"host": None, "problem": None}] * 2, array
    assert len(pa.chunked_array(urlwise.columns(polars.Series([], dtype=polars.Null), ["host"]))) == 0

    class Stream:
        """Has no length."""

        def __arrow_c_stream__(self, requested_schema=None):
            return nulls[0].__arrow_c_stream__(requested_schema)

    with pytest.raises(TypeError, match=r"have the type null; give them one, as by .*cast"):
        urlwise.columns(Stream(), ["host"])


def test_names_are_a_list_and_unknown_ones_lead_to_the_list():
    array = pa.array(URLS)
    for names in ("host", "port"), iter(["host", "port"]), {"host": 1, "port": 2}:
        assert [field.name for field in pa.array(urlwise.columns(array, names)).type] == ["host", "port"]
    for wrong, kind in ("host", "str"), (b"host", "bytes"), (1, "int"), ([1], "of int"):
        with pytest.raises(TypeError, match=f"names is a list of str, not {kind}"):
            urlwise.columns(array, wrong)
    with pytest.raises(ValueError, match=r"unknown column `hots`; column_names\(\) lists them"):
        urlwise.columns(array, ["hots"])
    with pytest.raises(ValueError, match="the forms of parts are"):
        urlwise.columns(array, ["host:upper"])


def test_threads_are_a_number_or_all_cores():
    array = pa.array([f"http://host{number}/" for number in range(30_000)])
    one = pa.array(urlwise.columns(array, ["host"]))
    for threads in None, 2, 10**6, 2**70:
        assert one.equals(pa.array(urlwise.columns(array, ["host"], threads=threads))), threads
    for wrong in 0, -1, -(2**70):
        with pytest.raises(ValueError, match="threads is 1 or more"):
            urlwise.columns(array, ["host"], threads=wrong)
    for wrong in "2", 1.5:
        with pytest.raises(TypeError, match="threads is a number"):
            urlwise.columns(array, ["host"], threads=wrong)


def test_a_table_of_one_column_is_that_column():
    connection = duckdb.connect()
    relation = connection.sql("select * from (values ('http://a.dom/'), (null), ('x')) t(url)")
    hosts = [{"host": "a.dom"}, {"host": None}, {"host": None}]
    tables = [relation, pa.table({"url": ["http://a.dom/", None, "x"]}), polars.DataFrame({"url": ["http://a.dom/", None, "x"]})]
    for table in tables:
        assert pa.chunked_array(urlwise.columns(table, ["host"])).to_pylist() == hosts
    batch = pa.record_batch({"url": ["-", "http://a.dom/", None, "x", "-"]})[1:4]
    assert pa.array(urlwise.columns(batch, ["host"])).to_pylist() == hosts
    with pytest.raises(TypeError, match="not a table of 2 columns; pass one of them"):
        urlwise.columns(pa.table({"url": ["http://a.dom/"], "n": [1]}), ["host"])
    with pytest.raises(TypeError, match="strings or binaries, not Int64"):
        urlwise.columns(pa.table({"n": [1]}), ["host"])
    # A row that is null as a whole has no text.
    masked = pa.StructArray.from_arrays([pa.array(["http://a.dom/"])], ["url"], mask=pa.array([True]))
    with pytest.raises(TypeError, match="strings or binaries, not Struct"):
        urlwise.columns(masked, ["host"])
