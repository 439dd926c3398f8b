"""ClickHouse in this process (chdb) calls the program as the functions of examples/clickhouse, and as a table function."""

import itertools
import json
import os
import pathlib

import pytest
import urlwise
from conftest import ROOT, needs

EXAMPLE = ROOT / "examples/clickhouse"
# ClickHouse reads the row groups of a file in any order, and one thread alone does not change that.
IN_ORDER = "settings max_threads = 1, input_format_parquet_preserve_order = 1"
QUERIES = """
import json, sys
from chdb import session
connection = session.Session(sys.argv[1] + "?config-file=" + sys.argv[2])
print(json.dumps([json.loads(str(connection.query(query, "JSONCompact")))["data"] for query in json.loads(sys.argv[3])]))
"""


@pytest.fixture(scope="module")
def query(run, tmp_path_factory):
    needs("chdb")
    program = os.environ["URLWISE_PROGRAM"]
    state = tmp_path_factory.mktemp("clickhouse")
    scripts = state / "user_scripts"
    scripts.mkdir()
    (scripts / "urlwise").symlink_to(pathlib.Path(program).resolve())
    (state / "config.xml").write_text(
        f"<clickhouse><user_defined_executable_functions_config>{EXAMPLE}/*_function.xml</user_defined_executable_functions_config>"
        f"<user_scripts_path>{scripts}/</user_scripts_path></clickhouse>"
    )

    def query(*queries):
        code = f"import sys; sys.argv[1:] = {[str(state), str(state / 'config.xml'), json.dumps(queries)]!r}\n{QUERIES}"
        return json.loads(run(code))

    return query


def assert_alike(found, wanted):
    """Fails at the first row that differs: all of them would be many thousand lines."""
    different = [(row, *pair) for row, pair in enumerate(itertools.zip_longest(found, wanted, fillvalue="no row")) if pair[0] != pair[1]]
    assert not different, f"{len(different)} rows differ, first {different[0]}"


def test_functions_answer_every_row_in_order(query, urls):
    fields = "url, urlwiseHost(url), urlwisePort(url), urlwiseProblem(url)"
    (rows,) = query(f"select {fields} from file('urls.parquet') {IN_ORDER}")
    assert_alike([row[0] for row in rows], urls)
    for url, host, port, problem in rows:
        if url is None:
            assert (host, port, problem) == (None, None, None)
            continue
        try:
            read = urlwise.parse(url)
            assert (host, port, problem) == (read.host.lower(), read.port, None), url
        except urlwise.ParseError as error:
            assert (host, port, problem) == (None, None, error.code), url


def test_sql_of_the_document_prints_the_top_hosts(query, top):
    text = (ROOT / "docs/bulk.md").read_text()
    sql = text.split("### ClickHouse\n")[1].split("```sql\n")[1].split("```")[0]
    (rows,) = query(sql)
    assert [f"{host} {count}" for host, count in rows] == top


def test_many_columns_come_from_one_process_and_every_octet_comes_back(query, urls):
    columns = "url Nullable(String), host Nullable(String), port Nullable(UInt16), valid Nullable(Bool)"
    command = "urlwise parse --escaped --columns url,host,port,valid"
    table = f"executable('{command}', TabSeparated, '{columns}', (select url from file('urls.parquet') {IN_ORDER}))"
    odd = "select arrayJoin([char(0), char(255), '\\\\', '\\'', '\\t\\n\\r', unhex('7FC285'), '\\\\N', 'x\\\\', '']) url"
    rows, codes = query(
        f"select * from {table} {IN_ORDER}",
        f"select hex(url), valid from executable('{command}', TabSeparated, '{columns}', ({odd}))",
    )
    assert_alike([row[0] for row in rows], urls)
    assert codes == [[code, False] for code in ["00", "FF", "5C", "27", "090A0D", "7FC285", "5C4E", "785C", ""]]
