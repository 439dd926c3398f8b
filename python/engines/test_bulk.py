"""Runs what docs/bulk.md shows, word for word."""

import re

import pytest

from conftest import ROOT, needs

TEXT = (ROOT / "docs/bulk.md").read_text()
RECIPES = dict(re.findall(r"^### (\w+)$(?:(?!^#).)*?^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL))

# A cluster of two workers, each a process with a core of its own; Spark reads this from its folder of settings.
SPARK = """\
spark.master local-cluster[2,1,1024]
spark.ui.enabled false
spark.driver.host 127.0.0.1
spark.driver.bindAddress 127.0.0.1
spark.sql.shuffle.partitions 2
spark.sql.files.maxPartitionBytes 100000
"""

# Daft's threads outlive the code; about every tenth time they crash Python 3.11 as it shuts down, without urlwise too (gh-87135).
WITHOUT_A_SHUTDOWN = {"Daft": "import os, sys\nsys.stdout.flush()\nos._exit(0)\n"}


def test_every_engine_has_its_lines():
    assert list(RECIPES) == ["pyarrow", "Polars", "DuckDB", "Daft", "DataFusion", "Spark"]
    for engine, code in RECIPES.items():
        lines = [line for line in code.splitlines() if line and not line.startswith(("import ", "from "))]
        assert len(lines) < 10, engine


@pytest.mark.parametrize("engine", [engine for engine in RECIPES if engine != "Spark"])
def test_the_lines_print_the_top_hosts(engine, run, top):
    needs(engine.lower())
    assert run(RECIPES[engine] + WITHOUT_A_SHUTDOWN.get(engine, "")).splitlines() == top


def test_spark_prints_them_on_a_cluster_of_two_workers(run, top, tmp_path):
    needs("pyspark", "java")
    (tmp_path / "spark-defaults.conf").write_text(SPARK)
    # Asked afterwards, so that the lines above it are those of the document.
    code = RECIPES["Spark"] + "print(spark.sparkContext.master, spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size())\n"
    *printed, cluster = run(code, SPARK_CONF_DIR=str(tmp_path), SPARK_LOCAL_IP="127.0.0.1").splitlines()
    assert printed == top
    assert cluster == "local-cluster[2,1,1024] 3"  # the driver and two executors
