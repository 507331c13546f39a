#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documents of --json, --junit and --sarif: documents.py PLUMB_BINARY

JSON has the form of docs/results.schema.json, of which every member is described in docs/json.md; what refers to
something refers to something that is there. JUnit is XML with the elements and attributes that its readers know, and the right counts; SARIF
follows tests/data/sarif.json and has what editors need; the first line of a report is what examples/ci/vscode_tasks.json looks for."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
plumb = os.path.realpath(sys.argv[1])
failures = []
changes = []  # runs with a sentence about a read that another thread's write made old


def complain(what):
    failures.append(what)
    print("FAILED", what)


# ---------------------------------------------------------------- the schema

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "number": (int, float)}


def has_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, TYPES[name]) and (name == "boolean" or not isinstance(value, bool))


def validate(value, schema, whole, path):
    """As much of JSON Schema as the schema uses."""
    if "$ref" in schema:
        schema = whole["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    types = schema.get("type", [])
    types = types if isinstance(types, list) else [types]
    if types and not any(has_type(value, t) for t in types):
        return complain(f"{path} is no {types}: {value!r:.80}")
    if "enum" in schema and value not in schema["enum"] or "const" in schema and value != schema["const"]:
        return complain(f"{path}: {value!r:.80}")
    if isinstance(value, list):
        for k, item in enumerate(value):
            validate(item, schema.get("items", {}), whole, f"{path}[{k}]")
    if isinstance(value, dict):
        validate_members(value, schema, whole, path)


def validate_members(value, schema, whole, path):
    members = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in value:
            complain(f"{path} has no {name}")
    for name, item in value.items():
        if name in members:
            validate(item, members[name], whole, f"{path}.{name}")
        elif schema.get("additionalProperties") is False:
            complain(f"{path} has a member of its own: {name}")


def check_documentation(schema, text):
    for name, part in schema["$defs"].items():
        for member in part["properties"]:
            if f"`{member}`" not in text:
                complain(f"docs/json.md does not describe {member} of {name}")


# ---------------------------------------------------------------- what refers to what

def check_references(c, path):
    ops = {o["id"] for o in c.get("ops", [])}
    events = c.get("events", [])
    ids = {e["id"] for e in events}
    if "history" in c:
        check_references(c["history"], path)
    for a in c.get("attempts", []):
        used = a["order"] + ([a["stuck"]["op"]] if "stuck" in a else [])
        if not set(used) <= ops or len(a["order"]) != len(a["states"]):
            complain(f"{path}: an order of operations that are not there")
    for e in events:
        for k in [e.get("rf"), e.get("newest")] + e.get("hb", []):
            if k is not None and k not in ids:
                complain(f"{path}: event {e['id']} names {k}, which is not there")
    if [e["id"] for e in events] != sorted(ids):
        complain(f"{path}: events are not in order")
    for remark in c.get("remarks", []):
        check_change(remark, events, path)


CHANGE = r"T(\d+) read (.+) = (.+) in step (\d+); step (\d+) of T(\d+) changed it to (.+) before T\d+ went on in step (\d+)\."


def check_change(remark, events, path):
    """The read that an error rests on: every claim of the sentence, by the list of steps alone."""
    said = re.fullmatch(CHANGE, remark)
    if not said:
        return
    changes.append(path)
    reader, writer = int(said[1]), int(said[6])
    by_id = {e["id"]: e for e in events}
    read, write = by_id[int(said[4])], by_id[int(said[5])]
    since = [e for e in events if read["id"] < e["id"] < write["id"]]
    between = [e for e in since if "written" in e and e["location"]["address"] == read["location"]["address"]]
    later = [e["id"] for e in events if e["thread"] == reader and e["id"] > write["id"]]
    claims = [
        read["kind"] == "R" and read["thread"] == reader and read["found"] == said[3],
        read["location"] == write["location"] and read["location"]["name"] == said[2],
        write["thread"] == writer != reader and write["written"] == said[7] != said[3],
        read["id"] < write["id"] and not between and write.get("found", said[3]) == said[3],
        later[:1] == [int(said[8])] and by_id[later[0]]["kind"] != "return",
        read.get("op") == by_id[later[0]].get("op"),
    ]
    if not all(claims):
        complain(f"{path}: '{remark}': {claims}")


# ---------------------------------------------------------------- running

def run(*words):
    for name in ("r.json", "r.xml", "r.sarif"):
        if os.path.exists(name):
            os.remove(name)
    outputs = ["--json", "r.json", "--junit", "r.xml", "--sarif", "r.sarif"]
    done = subprocess.run([plumb, *words, *outputs, "-q"], capture_output=True, text=True, timeout=120)
    return json.load(open("r.json")), xml.parse("r.xml").getroot(), json.load(open("r.sarif")), done.returncode


JUNIT = {  # element: where it may be, attributes it must have, those it may have
    "testsuite": ([None], {"name", "tests", "failures", "errors", "time"}, set()),
    "testcase": (["testsuite"], {"name", "classname", "time"}, set()),
    "failure": (["testcase"], {"type", "message"}, set()),
    "error": (["testcase"], {"type", "message"}, set()),
    "system-out": (["testcase"], set(), set()),
}


SARIF = json.load(open(os.path.join(root, "tests/data/sarif.json")))


def check_junit_form(element, parent, path):
    places, needed, more = JUNIT.get(element.tag, ([], set(), set()))
    given = set(element.attrib)
    if parent not in places or not needed <= given <= needed | more:
        complain(f"{path}: JUnit has <{element.tag}> with {sorted(given)} in {parent}")
    for name in given & {"tests", "failures", "errors", "time"}:
        if not re.fullmatch(r"\d+(\.\d+)?", element.get(name)):
            complain(f"{path}: JUnit: {name} is {element.get(name)}")
    for inner in element:
        check_junit_form(inner, element.tag, path)


def check_junit(suite, cases, failed, errors, path):
    check_junit_form(suite, None, path)
    counts = [int(suite.get(k)) for k in ("tests", "failures", "errors")]
    seen = [len(suite.findall(k)) for k in ("testcase", "testcase/failure", "testcase/error")]
    if counts != [cases, failed, errors] or seen != counts:
        complain(f"{path}: JUnit counts {counts}, has {seen}")
    for f in suite.findall("testcase/failure"):
        if not f.get("message") or not re.search("error:|^Observation", f.text, re.MULTILINE):
            complain(f"{path}: a failure without its text")


def check_sarif(document, results, path):
    validate(document, SARIF, SARIF, f"{path}: SARIF")
    found = document["runs"][0]["results"]
    if document["version"] != "2.1.0" or len(found) != results:
        complain(f"{path}: SARIF has {len(found)} results")
    for r in found:
        places = [x["physicalLocation"] for x in r["locations"]]
        flows = [f for c in r.get("codeFlows", []) for f in c["threadFlows"]]
        steps = [s for f in flows for s in f["locations"]]
        places += [s["location"]["physicalLocation"] for s in steps]
        if any(p["region"]["startLine"] < 1 or not p["artifactLocation"]["uri"] for p in places):
            complain(f"{path}: a place without a line")
        if len({f["id"] for f in flows}) != len(flows) or not r["message"]["text"]:
            complain(f"{path}: flows of one thread, or no message")
        orders = [s["executionOrder"] for s in steps]
        if sorted(orders) != list(range(1, len(orders) + 1)):
            complain(f"{path}: the order of steps {orders}")


def check_run(schema, words, cases=1, failed=0, errors=0, results=0, code=0):
    path = " ".join(words)
    document, suite, sarif, seen = run(*words)
    if seen != code:
        complain(f"{path}: exit code {seen}")
    validate(document, schema, schema, path)
    found = [document.get("counterexample")] + document.get("errors", [])
    found += [i.get("counterexample") for i in document.get("inputs", [])]
    for c in filter(None, found):
        check_references(c, path)
    check_junit(suite, cases, failed, errors, path)
    check_sarif(sarif, results, path)
    return document


def check_histories(schema):
    inputs = os.path.join(root, "tests/cli/inputs/histories")
    for name in os.listdir(inputs):
        if name.endswith(".jsonl"):
            shutil.copy(os.path.join(inputs, name), ".")
    check_run(schema, ["monitor", "queue_holds.jsonl"])
    with open("long_quasi.jsonl", "w") as out:
        for k in range(600):
            print(json.dumps({"thread": k % 4, "op": "enq", "arg": k, "call": 2 * k, "return": 2 * k + 1}), file=out)
        print(json.dumps({"thread": 9, "op": "deq", "result": 500, "call": 2000, "return": 2001}), file=out)
    quasi = check_run(schema, ["monitor", "long_quasi.jsonl", "--quasi", "deq=2"], failed=1, results=1, code=1)
    if "excerpt" not in quasi["counterexample"]["shrink"]:
        complain("a long quasi history has no excerpt")
    check_run(schema, ["monitor", "queue_violated.jsonl", "map_violated.jsonl", "objects.jsonl", "missing.jsonl"],
              cases=4, failed=3, errors=1, results=3, code=1)


def write_quasi_histories():
    """One thread adds and removes; in the end an item leaves two places early."""
    for name, pairs in (("quasi_far.jsonl", 3), ("quasi_long.jsonl", 400)):
        words = [("enq", i) for i in range(pairs)] + [("deq", i) for i in range(pairs - 3)]
        words += [("deq", pairs - 1), ("deq", pairs - 2), ("deq", pairs - 3)]
        with open(name, "w") as out:
            for k, (op, value) in enumerate(words):
                member = "arg" if op == "enq" else "result"
                line = {"thread": 1, "op": op, member: value, "call": 2 * k, "return": 2 * k + 1}
                out.write(json.dumps(line) + "\n")


def check_moments(schema):
    """--explain: the operations it names are those of the input, and so are their objects."""
    violated = {"failed": 1, "results": 1, "code": 1}
    for words in (["queue_violated.jsonl"], ["map_violated.jsonl"], ["objects.jsonl"],
                  ["--quasi", "deq=1", "quasi_far.jsonl"], ["--quasi", "deq=1", "quasi_long.jsonl"]):
        found = check_run(schema, ["monitor", "--explain", *words], **violated)["counterexample"]
        moment = found.get("moment", {"known": False, "text": []})
        lines = [json.loads(line) for line in open(words[-1]) if line.strip()]
        for name in ("legal_until", "illegal_from"):
            event = moment.get(name, {"id": 0, "event": "call", "thread": None, "t": None})
            op = lines[event["id"]]
            if [op[event["event"]], op["thread"]] != [event["t"], event["thread"]]:
                complain(f"{words}: {name} is not in the input: {event}")
            if event.get("object") != (op.get("object") if "objects" in words[-1] else None):
                complain(f"{words}: {name} is on {event.get('object')}")
        if not moment["known"] or len(moment["text"]) != 2 or moment["certain"] != ("long" not in words[-1]):
            complain(f"{words}: the moment is {moment}")
    if "moment" in check_run(schema, ["monitor", "queue_violated.jsonl"], **violated)["counterexample"]:
        complain("a moment that nobody asked for")


def check_proofs(schema):
    shutil.copytree(os.path.join(root, "examples/prove"), "prove")
    check_run(schema, ["prove", "prove/treiber_gc.c"])
    check_run(schema, ["prove", "prove/lost_update.c"], failed=1, results=1, code=1)
    with open("prove/treiber_free.c", "w") as f:
        f.write('#define FREE\n#include "treiber_gc.c"\n')
    check_run(schema, ["prove", "prove/treiber_free.c"], failed=1, results=1, code=1)
    check_run(schema, ["prove", "prove/michael_scott.c", "--distance", "1"], errors=1, code=3)


def check_models(schema):
    shutil.copytree(os.path.join(root, "models"), "models")
    check_run(schema, ["refine", "models/queue.pml", "-D", "BUG=1", "--spec", "queue"], failed=1, results=1, code=1)
    check_run(schema, ["refine", "models/queue.pml", "--spec", "queue"])
    cut = check_run(schema, ["refine", "models/queue.pml", "--spec", "queue", "--memory-limit", "1K"], errors=1, code=3)
    if cut["inputs"][0].get("limit") not in cut["limits"]:
        complain("a model that was not decided does not say why")
    for name in ("asserting.pml", "matching.pml", "stuck.pml"):
        shutil.copy(os.path.join(root, "tests/cli/inputs/models", name), ".")
    one = {"failed": 1, "results": 1, "code": 1}
    check_run(schema, ["refine", "asserting.pml", "--spec", "register"], **one)
    check_run(schema, ["refine", "matching.pml", "-D", "CASE=1", "--spec", "queue"], **one)
    check_run(schema, ["refine", "stuck.pml", "--spec", "register", "--deadlock"], **one)
    check_run(schema, ["refine", "models/segmented_queue.pml", "-D", "BUG=2", "--trace", "--spec",
                       "models/queue_clustered.pml"], **one)


def check_litmus(schema):
    for name in ("claim.litmus", "sb.litmus", "race.litmus", "kernel.litmus"):
        shutil.copy(os.path.join(root, "tests/cli/inputs/litmus", name), ".")
    check_run(schema, ["check", "claim.litmus", "sb.litmus", "race.litmus", "kernel.litmus"],
              cases=4, failed=2, errors=1, results=2, code=1)


def check_orders(schema):
    """No JUnit and no SARIF: that a weaker order is violated is no error of the program."""
    for words, code in [(["weak/message.c"], 1), (["harness/michael_scott.c", "--test", "enq(1) | deq"], 0)]:
        run = subprocess.run([plumb, "orders", *words, "--json", "orders.json", "--html", "orders.html"], capture_output=True)
        if run.returncode != code:
            complain(f"orders {words}: exit {run.returncode}")
        validate(json.load(open("orders.json")), schema, schema, "orders.json")
        page = open("orders.html").read()
        if "instead of" not in page and "as written" not in page:
            complain(f"orders {words}: no story in the page")


def check_stress(schema):
    """What is found depends on the machine; the form of documents does not."""
    for name in ("crash.c", "invariant.c", "counter_wrong.c"):
        shutil.copy(os.path.join(root, "tests/stress", name), ".")
    one = {"failed": 1, "results": 1, "code": 1}
    quick = ["--rounds", "100", "--no-handover"]
    crash = check_run(schema, ["stress", "crash.c", *quick], **one)
    if not any(op["open"] for op in crash["found_in"]["last_operations"]):
        complain("no operation is open after a crash")
    check_run(schema, ["stress", "invariant.c", *quick], **one)
    history = check_run(schema, ["stress", "counter_wrong.c", *quick], **one)
    if not os.path.exists(history["found_in"]["history"]):
        complain("the history of a violation is not kept")
    check_run(schema, ["stress", "harness/locked_queue.c", "--rounds", "8"])


def check_matcher():
    """What an editor finds in a report: the file, the line, the message."""
    matcher = json.load(open(os.path.join(root, "examples/ci/vscode_tasks.json")))["tasks"][0]["problemMatcher"]["pattern"]
    done = subprocess.run([plumb, "check", "causes.c", "--color", "never"], capture_output=True, text=True, timeout=120)
    found = [m for m in (re.match(matcher["regexp"], line) for line in done.stdout.splitlines()) if m]
    if len(found) != 1 or found[0].group(matcher["file"]) != "causes.c" or found[0].group(matcher["severity"]) != "error":
        complain(f"the problem matcher finds {[m.groups() for m in found]} in {done.stdout!r:.200}")


def check_programs(schema):
    for folder in ("weak", "harness"):
        shutil.copytree(os.path.join(root, "examples", folder), folder)
    for name in ("inputs/programs/causes.c", "inputs/programs/turns.c", "stories/band.c"):
        shutil.copy(os.path.join(root, "tests/cli", name), ".")
    one = {"failed": 1, "results": 1, "code": 1}
    weak = check_run(schema, ["check", "weak/message.c"], **one)
    if not any(e.get("newest") for e in weak["counterexample"]["events"]):
        complain("no stale read names what was newest")
    test = check_run(schema, ["check", "harness/lost_update.c", "--test", "add(1) | add(1) => get"], **one)
    if {e.get("op") for e in test["counterexample"]["events"]} != {None, 0, 1, 2}:
        complain("steps do not name their operations")
    check_run(schema, ["check", "harness/lost_update.c", "--test", "add(1) | add(1) => get", "--mode", "dfs"], **one)
    check_run(schema, ["check", "causes.c", "--all-errors"], failed=1, results=3, code=1)
    for words in (["check", "band.c"], ["check", "turns.c", "--mode", "random"]):
        check_run(schema, words, **one)
        if " ".join(words) not in changes:
            complain(f"{' '.join(words)}: no step is said to have changed what was read")
    check_run(schema, ["check", "harness/locked_queue.c", "--test", "enq(1) | deq"])
    check_run(schema, ["check", "harness/lost_update.c", "--test", "add(1) | add(1) => get", "--executions", "1"],
              errors=1, code=3)
    check_run(schema, ["auto", "harness/lost_update.c"], **one)
    check_matcher()
    check_orders(schema)
    check_stress(schema)
    with open("broken.c", "w") as out:
        out.write("int main(void) { return }\n")
    check_run(schema, ["check", "broken.c"], errors=1, code=4)


def main():
    schema = json.load(open(os.path.join(root, "docs/results.schema.json")))
    check_documentation(schema, open(os.path.join(root, "docs/json.md")).read())
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        check_histories(schema)
        write_quasi_histories()
        check_moments(schema)
        check_models(schema)
        check_litmus(schema)
        # Programs under test need libplumb-rt, which sanitizers do without.
        if os.path.exists(os.path.join(os.path.dirname(plumb), "../lib/libplumb-rt.so")):
            check_programs(schema)
            if os.path.exists(os.path.join(os.path.dirname(plumb), "../lib/libplumb-prove.so")):
                check_proofs(schema)
        else:
            print("documents: 1 skipped (those of programs need the runtime library, which is not built here)")
        os.chdir(root)
    sys.exit(1 if failures else 0)


main()
