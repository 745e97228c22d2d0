"""The documents beside the code: tables that list the same things, paths and
names that exist, manual pages without warnings, plain words."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("DAEMON") or ROOT / "build/terrariumd").parent
PAGES = [ROOT / name for name in ("README.md", "SECURITY.md", "CHANGELOG.md",
                                  "CONTRIBUTING.md")] + \
    sorted((ROOT / "docs").glob("*.md"))
MANUAL = [*sorted((ROOT / "docs").glob("*.[18]")),
          BUILD / "terrarium.conf.5"]
METHODS = ("GET", "POST", "PUT", "DELETE")
DIRECTORIES = "sandbox|fcgi|conf|tests|tools|client|docs"
README_LINES = 150
HARD_WORDS = 1  # of 1,000, and one on a short page


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def section(text: str, head: str) -> str:
    """From the line `## HEAD` to the next one."""
    return text.partition(f"\n## {head}\n")[2].partition("\n## ")[0]


def cells(text: str) -> list[list[str]]:
    """The rows of all tables but heads and rules, split into cells."""
    rows = re.findall(r"^\| *(.*?) *\|$", text, re.M)
    return [re.split(r" *\| *", row) for row in rows
            if not set(row) <= set("-| ")]


# ---- docs/api.md beside the tables of the code -----------------------------

API = read("docs/api.md")


def test_each_path_of_the_workers() -> None:
    code = set(re.findall(r'\{"([A-Z]+)", "(/[^"]*)",',
                          read("fcgi/route/route.c")))
    page = {(row[0], row[1].strip("`")) for row in cells(section(API, "Paths"))
            if row[0] in METHODS}
    assert len(code) > 10
    assert page == code


def test_each_path_of_the_status_process() -> None:
    code = set(re.findall(r'\{"(/[a-z][a-z.]*)", status_',
                          read("fcgi/server/status_pages.c")))
    page = {row[0].strip("`") for row in cells(section(API, "Paths"))
            if row[0].startswith("`/")}
    assert len(code) > 3
    assert page == code


def test_each_path_is_let_in_by_nginx() -> None:
    """As many as the page has, and with its methods."""
    text = read("nginx.conf.example").partition("map $uri $methods")[2]
    lines = re.findall(r'~\^(\S+)\\z "([^"]+)";', text.partition("}")[0])
    for row in cells(section(API, "Paths")):
        method, path = ("GET", row[0]) if row[0].startswith("`/") else row[:2]
        found = [methods for pattern, methods in lines
                 if re.fullmatch(pattern, re.sub(r"\{\w+\}", "a0",
                                                 path.strip("`")))]
        if method in METHODS:
            assert found and method in found[0], path


# The table of fields below a heading or a line, and the file that reads them.
FIELDS = {
    "POST /: run a program": "api/native.c",
    "RAGFlow": "api/ragflow.c",
    "Dify": "api/dify.c",
    "`POST /v1/sandbox/dependencies/update`": "api/dify.c",
    "Model Context Protocol": "mcp/mcp_tool.c",
    "The old transport": "mcp/mcp_python.c",
    "`POST /execute`": "code_interpreter/code_interpreter.c",
    "`POST /release`": "code_interpreter/code_interpreter.c",
    "`POST /fork`:": "code_interpreter/code_interpreter.c",
    "`POST /api/ai/python-execute`": "api/solver_api.c",
    "`POST /api/ai/python-syntax-check`": "api/solver_api.c",
    "`POST /api/ai/python-ast-check`": "api/solver_api.c",
    "`POST /e2b/sandboxes`": "e2b/e2b.c",
    "`POST /e2b/sandboxes/{sandboxID}/connect`": "e2b/e2b.c",
    "`POST /e2b/sandboxes/{sandboxID}/timeout`": "e2b/e2b.c",
    "`POST /e2b/execute`": "e2b/e2b.c",
    "`POST /e2b/contexts`": "e2b/e2b.c",
    "`POST /opensandbox/v1/sandboxes`": "opensandbox/opensandbox.c",
    "`POST /opensandbox/v1/sandboxes/{sandboxID}/renew-expiration`":
        "opensandbox/opensandbox.c",
    "`POST /opensandbox/{sandboxID}/code`": "opensandbox/opensandbox.c",
    "`context` of a program:": "opensandbox/opensandbox.c",
    "`POST /opensandbox/{sandboxID}/code/context`":
        "opensandbox/opensandbox.c",
    "`POST /opensandbox/{sandboxID}/files/upload`":
        "opensandbox/opensandbox_files.c",
    "`POST /opensandbox/{sandboxID}/files/mv`":
        "opensandbox/opensandbox_files.c",
    "`POST /e2b/filesystem.Filesystem/ListDir`": "e2b/e2b_files.c",
    "`POST /e2b/filesystem.Filesystem/Stat`": "e2b/e2b_files.c",
    "`POST /e2b/filesystem.Filesystem/Move`": "e2b/e2b_files.c",
}
JSON_NAMES = {"STRING": "string", "NUMBER": "integer", "OBJECT": "object",
              "ARRAY": "list", "BOOL": "boolean", "FIELD_ANY": "",
              "FIELD_NUMBER": "number"}


def code_fields(file: str) -> list[dict[str, tuple[str, bool]]]:
    """Each table of fields in FILE of fcgi."""
    text = read(f"fcgi/{file}")
    names = dict(re.findall(r'#define (\w+) "(\w+)"',
                            text + read("fcgi/code_interpreter/code_interpreter.h")))
    found = []
    for body in re.findall(r"struct field \w+\[\] = \{(.*?)\n\};", text,
                           re.S):
        rows = re.findall(r'\{\s*"?(\w+)"?,\s*(?:JSON_)?(\w+),\s*'
                          r"(true|false)", body)
        found.append({names.get(name, name): (kind, needed == "true")
                      for name, kind, needed in rows})
    return found


def page_fields(head: str) -> dict[str, tuple[str, bool]]:
    if head.startswith("`"):
        at = re.search(rf"^{re.escape(head)}", API, re.M)
        assert at, head
        text = API[at.end():]
    else:
        text = section(API, head)
    table = text.partition("| field | type |")[2].partition("\n\n")[0]
    rows = [row for row in cells(table) if len(row) == 3]
    return {row[0].strip("`"): (row[1], "required" in row[1])
            for row in rows if row[0].startswith("`")}


@pytest.mark.parametrize("head", FIELDS)
def test_each_field(head: str) -> None:
    page = page_fields(head)
    code = [table for table in code_fields(FIELDS[head])
            if {name: needed for name, (_, needed) in table.items()} ==
            {name: needed for name, (_, needed) in page.items()}]
    assert len(code) == 1, page
    for name, (kind, _) in code[0].items():
        # Some doors check the kind themselves.
        assert JSON_NAMES[kind] in page[name][0], name


def test_each_table_of_fields() -> None:
    for path in (ROOT / "fcgi").glob("*/*.c"):
        file = str(path.relative_to(ROOT / "fcgi"))
        assert len(code_fields(file)) == list(FIELDS.values()).count(file)


def test_each_metric() -> None:
    text = read("fcgi/server/metrics.c")
    code = set(re.findall(r'\{"(\w+)",\s+"[A-Z]', text)) | \
        set(re.findall(r'metrics_head\(page, "(\w+)", "gauge"', text)) | \
        {f"{name}_total" for name in
         re.findall(r'metrics_head\(page, "(\w+)", "counter"', text)}
    table = read("fcgi/shared/measures.c")
    code |= {name + ("_total" if name.startswith("client_") else "")
             for name in re.findall(r'= \{"(\w+)",', table)}
    page = {name for row in cells(section(API, "Status and metrics"))
            for name in re.findall(r"`(\w+)`", row[0])}
    assert len(code) > 20
    assert code <= page, code - page


@pytest.mark.parametrize("file", ["alerts.yml", "dashboard.json"])
def test_metrics_that_are_watched_exist(file: str) -> None:
    """In the rules for Prometheus and the dashboard for Grafana."""
    page = {name for row in cells(section(API, "Status and metrics"))
            for name in re.findall(r"`(\w+)`", row[0])}
    used = set(re.findall(r"terrarium_(\w+?)(?:_bucket)?\b",
                          read(f"conf/{file}")))
    assert len(used) > 8 and used <= page, used - page


def test_each_member_of_the_log() -> None:
    text = read("fcgi/route/access_log.c")
    code = re.findall(r'\t\{"(\w+)", access_log_\w+\},', text)
    page = [name for row in cells(section(read("docs/operations.md"), "Watch"))
            for name in re.findall(r"^`(\w+)`|, `(\w+)`", row[0])]
    assert len(code) > 15
    assert code == [one or other for one, other in page
                    if (one or other) != "GET"]


def test_each_figure_of_the_status() -> None:
    code = re.findall(r'\t\{"([a-z ]+)", status_\w+\},',
                      read("fcgi/server/status_pages.c"))
    page = {name for row in cells(section(API, "Status and metrics"))
            for name in re.findall(r"`([\w ]+)`", row[0])}
    assert len(code) > 10
    assert set(code) <= page, set(code) - page


def test_each_code_of_an_error() -> None:
    """Those that the code answers, and none that it does not."""
    text = "".join(path.read_text(encoding="utf-8")
                   for room in ("fcgi", "sandbox/text", "sandbox/solver")
                   for path in (ROOT / room).rglob("*.c"))
    known = set(re.findall(r'"([a-z_0-9]{5,})"', text)) | \
        set(re.findall(r'\d{3} "(\w+)";', read("nginx.conf.example"))) | \
        set(re.findall(r'#define \w+ "(\w+)"', text))
    said = {name for row in cells(section(API, "Common rules"))
            if re.fullmatch(r"\d{3}", row[0])
            for name in re.findall(r"`([a-z_0-9]+)`", row[1])}
    assert len(said) > 20
    assert said <= known, said - known
    made = set(re.findall(r'refuse\([^;]*?\b[45]\d\d,\s*"(\w+)"', text))
    # of doors whose answers have no codes
    made -= {"missing", "bad_fields", "no_urls", "no_language", "invalid",
             "bad_file", "no_executable", "bad_cwd", "bad_language", "default",
             "no_contexts", "not_implemented", "out_of_range", "running",
             "too_long", "not_found", "bad_path", "bad_body", "exists",
             "signed", "too_many", "twice"}
    assert made <= said, made - said


def test_each_hint() -> None:
    code = set(re.findall(r'^    \("([\w-]+)", "',
                          read("sandbox/python/hints/hints.py"), re.M))
    page = {key for row in cells(section(API, "Hints"))[1:]
            for key in re.findall(r"`([\w-]+)`", row[0])}
    assert len(code) > 25
    assert page == code


def test_each_option_is_named() -> None:
    """By its section, in docs/operations.md or docs/api.md, if it limits."""
    text = read("docs/operations.md") + API
    for section_name, name in re.findall(r'\{ "(limits)", "(\w+)"',
                                         read("conf/options.c")):
        assert f"`{section_name}.{name}`" in text, name


def package_lines() -> list[tuple[str, str, str]]:
    """Group, first name and modules of each package for programs."""
    found = re.findall(r"^([\w.-]+)[^#\n]*# (\w+): ([^,\n]*)",
                       read("conf/packages"), re.M)
    return [(group, name, modules) for name, group, modules in found
            if group not in ("build", "run", "test")]


def test_each_package() -> None:
    """In the order of conf/packages, and with a test that imports it."""
    rows = [row for row in cells(section(read("docs/packages.md"), "Table"))
            if len(row) == 7 and row[0] != "group"]
    assert len(rows) > 100
    assert [(row[0], row[1].strip("`"), row[5].strip("`")) for row in rows] \
        == package_lines()
    for row in rows:
        text = read(row[6].strip("`"))
        assert "test_imports.py" in row[6] or any(
            re.search(rf"^\s*(import|from)\s+{re.escape(module)}\b", text,
                      re.M) for module in row[5].strip("`").split()), row
        assert any(re.match(r"\d", version) for version in row[2:4]), row


def test_each_group() -> None:
    when = {"": "by default", ", tests": "for tests",
            ", later": "later", ", on demand": "on demand"}
    code = [(name, when[said]) for name, said in
            re.findall(r"^# group (\w+)(, [a-z ]+)?: ",
                       read("conf/packages"), re.M)]
    page = [(row[0].strip("`"), row[1]) for row in
            cells(section(read("docs/packages.md"), "Groups"))
            if row[0].startswith("`")]
    assert page == code


def test_each_room() -> None:
    """Those of tests/check-floors."""
    rooms = read("tests/check-floors").partition('ROOMS = """')[2]
    code = set(re.findall(r"^([\w/]+):", rooms.partition('"""')[0], re.M))
    page = {row[0].strip("`")
            for row in cells(section(read("CONTRIBUTING.md"), "Rooms"))
            if row[0].startswith("`")}
    assert len(code) > 10
    assert page == code


def test_each_title_and_role() -> None:
    page = cells(read("docs/processes.md"))
    titles = {word for row in page if len(row) == 4
              for word in re.findall(r"terrariumd: ([\w-]+)", row[1])}
    roles = {word for row in page if len(row) == 4
             for word in re.findall(r"^`([\w-]+)`$", row[2])}
    code = "".join(path.read_text(encoding="utf-8")
                   for room in ("fcgi", "sandbox")
                   for path in (ROOT / room).rglob("*.c")
                   if "cli" not in path.parts)
    assert titles == set(re.findall(r'title_set\("([\w-]+)"\)', code))
    assert roles == set(re.findall(r'log_set_role\("([\w-]+)"\)', code))


def test_each_number_of_system_calls() -> None:
    """`N system calls`, of a guest or of a worker."""
    said = subprocess.run([BUILD / "terrariumd", "--print-filter"],
                          capture_output=True, text=True, timeout=60).stdout
    counts = re.findall(r"^Calls that ([^\n]*) may make:.*?^(\d+) calls",
                        said, re.M | re.S)
    guest = dict(counts)["a guest"]
    worker = dict(counts)["a worker that waits for its request"]
    for page, numbers in {"README.md": {guest}, "SECURITY.md": {guest, worker},
                          "docs/processes.md": {worker}}.items():
        assert set(re.findall(r"(\d+)\s+system\s+calls", read(page))) == \
            numbers, page


MIGRATION = {  # the page's parts, and their rows at least
    "The Terrarium of Cohere": 15, "Code interpreter": 25, "RAGFlow": 10,
    "Solver pipelines": 9, "Sandboxes for tools and functions": 10,
    "For all of them": 3}


@pytest.mark.parametrize("head", MIGRATION)
def test_each_row_of_the_migration_page(head: str) -> None:
    """It is of one of three kinds, and names tests that exist: functions of
    a file, a file of tests, or a program that test_programs.py runs."""
    table = section(read("docs/migrate.md"), head)
    rows = [row for row in cells(table)
            if row[0] in ("same", "better", "differs")]
    assert len(rows) >= MIGRATION[head]
    heads = len(re.findall(r"^\| \| .* \| test \|$", table, re.M))
    assert len(rows) == len(re.findall(r"^\|", table, re.M)) - 2 * heads
    for row in rows:
        assert len(row) == 4 and row[2], row
        found = re.findall(r"`(tests/[\w/]+\.py)(?:: ([\w, ]+))?`", row[3])
        assert found, row
        for path, names in found:
            text = read(path)
            if "/programs/" in path:
                assert "# expect: " in text, path
            elif not names:
                assert "\ndef test_" in text, path
            for name in names.split(", ") if names else []:
                assert f"\ndef {name}(" in text, f"{path}: {name}"


# ---- names -----------------------------------------------------------------


def test_the_readme_is_one_page() -> None:
    assert len(read("README.md").splitlines()) <= README_LINES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_paths_and_names_exist(page: Path) -> None:
    """`path`, and `path: name, name` for names in that file."""
    text = page.read_text(encoding="utf-8")
    for path, names in re.findall(
            rf"`((?:{DIRECTORIES})/[\w./*-]*)(?::\s+([^`]+))?`", text):
        if "NAME" in path:
            continue
        found = list(ROOT.glob(path.rstrip("/")))
        assert found, path
        for name in re.split(r",\s+", names) if names else []:
            assert any(name in one.read_text(encoding="utf-8")
                       for one in found), f"{path}: {name}"
    for path, name in re.findall(r"`([\w.]+\.[ch])`: `(\w+)`", text):
        assert any(name in one.read_text(encoding="utf-8")
                   for room in ("sandbox", "fcgi", "conf")
                   for one in (ROOT / room).rglob(path)), f"{path}: {name}"
    for path, name in re.findall(
            rf"`((?:{DIRECTORIES})/[\w./-]+)`: `(\w+)`", text):
        assert name in read(path), f"{path}: {name}"


def anchors(path: Path) -> set[str]:
    heads = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-")
            for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)]+)\)", page.read_text("utf-8")):
        if link.startswith("http"):
            continue
        name, _, anchor = link.partition("#")
        there = page.parent / name if name else page
        assert there.is_file(), link
        assert not anchor or anchor in anchors(there), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_words(page: Path) -> None:
    """Few words that hide the subject of a sentence."""
    text = re.sub(r"`[^`]*`|^    .*$", "", page.read_text("utf-8"), flags=re.M)
    hard = re.findall(r"\b(?:what|who|whom|whose|whoever|nobody)\b", text, re.I)
    words = re.findall(r"[A-Za-z']+", text)
    most = HARD_WORDS * max(1, len(words) // 1000)
    assert len(hard) <= most, (hard, len(words))


# ---- manual pages ----------------------------------------------------------


@pytest.mark.parametrize("reader", [
    ["groff", "-man", "-ww", "-z", "-Tutf8"], ["mandoc", "-Tlint"]],
    ids=lambda reader: reader[0])
@pytest.mark.parametrize("page", MANUAL, ids=lambda page: page.name)
def test_manual_pages_have_no_warnings(page: Path, reader: list[str]) -> None:
    if not shutil.which(reader[0]):
        pytest.skip(f"{reader[0]} is not installed")
    said = subprocess.run([*reader, str(page)], capture_output=True,
                          text=True, timeout=60)
    assert (said.returncode, said.stdout + said.stderr) == (0, "")


def test_the_manual_has_each_option_and_rule() -> None:
    """With its default, in the order of the table."""
    page = (BUILD / "terrarium.conf.5").read_text(encoding="utf-8")
    shown = re.findall(r'^\.BR (\w+) " =( ?)(.*)"$', page, re.M)
    conf = re.findall(r"^(\w+) =( ?)(.*)$", read("conf/terrarium.conf"), re.M)
    assert len(conf) > 40
    assert [(name, blank, value.replace("\\-", "-"))
            for name, blank, value in shown] == conf
    assert page.count(" <= ") == \
        read("conf/options.c").count("{ offsetof(")


@pytest.mark.parametrize("program,page", [
    ("terrariumd", "docs/terrariumd.8"), ("terrarium", "docs/terrarium.1")])
def test_the_manual_has_each_word_of_the_command_line(program: str,
                                                      page: str) -> None:
    words = subprocess.run([str(BUILD / program), "--help"], timeout=60,
                           capture_output=True, text=True).stdout
    options = re.findall(r"^ +-(\w), --([\w-]+)", words, re.M)
    text = read(page).replace("\\-", "-").replace('", "', ", ") \
        .replace(" ", "")
    assert len(options) > 5
    for letter, name in options:
        assert f"-{letter},--{name}" in text, name


@pytest.mark.parametrize("script,page", [
    ("add-token", "docs/terrarium-add-token.8"),
    ("terrarium-packages", "docs/terrarium-packages.8"),
    ("terrarium-setup", "docs/terrarium-setup.8")])
def test_the_manual_of_a_script_has_each_option(script: str,
                                                page: str) -> None:
    words = subprocess.run(
        ["/usr/bin/python3", str(ROOT / "conf" / script), "--help"],
        timeout=60, capture_output=True, text=True).stdout
    options = re.findall(r"^ +(?:-\w[^,]*, )?(--[a-z-]+)", words, re.M)
    text = read(page).replace("\\-", "-")
    assert len(options) > 3
    assert [name for name in options if name not in text] == []


def test_settings_of_a_start_are_named() -> None:
    """Where a person looks for them: README, `make help` and the tool."""
    told = subprocess.run(["make", "-s", "-C", str(ROOT), "help"], check=True,
                          capture_output=True, text=True).stdout
    for name in ("PORT", "WORKERS", "CONF_EXTRA", "NGINX_RATE",
                 "NGINX_CONCURRENCY"):
        for text in (told, read("README.md"), read("tools/local")):
            assert re.search(rf"\b{name}\b", text), name
