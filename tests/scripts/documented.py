#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: documented.py [-k PAGE] PLUMB
Runs the commands that README.md and the pages of docs show without what they print (check_page.py has the others): lines of blocks that
begin with plumb, or that call it. The files that they name stand for those of the reader; here others stand in for them. A command
may find anything, take long, and is then interrupted, but it may not be wrong: exit codes of usage (2), of programs that do not
build or run (4), and of internal errors (70) fail."""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

TREE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
SECONDS = 3
WRONG = (2, 4, 70, 126, 127)
# What a name of the pages is here: a file of the tree.
STAND_INS = {
    "app.c": "examples/weak/message.c",
    "program.c": "examples/weak/message.c",
    "cache.c": "examples/weak/message.c",
    "harness.c": "examples/harness/treiber_aba.c",
    "t.c": "examples/harness/treiber_aba.c",
    "stack.c": "examples/harness/treiber_aba.c",
    "queue.c": "examples/first/queue.c",
    "ring.c": "examples/progress/spsc_ring.c",
    "lock.c": "examples/cdsspec/mcs_lock.c",
    "lost_update.c": "examples/harness/lost_update.c",
    "SB.litmus": "tests/litmus/store_buffering/SB+rlx.litmus",
    "store/latest/history.edn": "tests/data/jepsen/cas-failure.edn",
    "history.jsonl": "examples/histories/broken_queue.jsonl",
    "relaxed.jsonl": "examples/histories/broken_queue.jsonl",
}
# And what has to be made first.
MADE = """
printf 'race:variable hits\\n' > rules
plumb generate stack --ops 50 -o a.jsonl && cp a.jsonl b.jsonl
plumb generate queue --ops 50 -o queue.jsonl && plumb convert queue.jsonl -o run.bin && cp run.bin recorded.bin
mkdir -p ~/.zfunc ~/.config/fish/completions include
plumb check program.c -q; cp message.plr program.plr || cp program.plr message.plr
cp program.plr app.plr
plumb auto queue.c -q
for n in 2 3 4; do plumb auto queue.c --size 2x2 --shard $n/4 --result $n.shard -q; done
mkdir -p build && printf '[{"directory": "%s", "file": "harness.c", "arguments": ["cc", "-c", "harness.c"]}]' "$PWD" > build/compile_commands.json
"""


def shown(text):
    """The commands of a page, with their lines. Usage, which has brackets, is none."""
    block = None
    for number, line in enumerate(text.replace("\\\n", " ").split("\n"), 1):
        if line.startswith("```"):
            block = line[3:] if block is None else None
            continue
        code = line[4:] if block is None and line.startswith("    ") else line if block == "sh" else None
        if code and re.match(r"(PLUMB_\w+=\S+ )?plumb(-cc|-c\+\+)? [a-z-]", code) and "[" not in code.split("#")[0]:
            yield number, code


def prepare():
    for name, source in STAND_INS.items():
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        shutil.copy(os.path.join(TREE, source), name)
    for folder in "examples", "models":
        os.symlink(os.path.join(TREE, folder), folder)
    subprocess.run(["bash", "-c", MADE], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)


def is_right(command):
    """Also what it printed."""
    code = re.sub(r"--follow", "", command) # which waits
    done = subprocess.run(["timeout", "-s", "INT", "-k", "20", str(SECONDS), "bash", "-c", code], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    return done.returncode not in WRONG and done.returncode < 128, f"exit code {done.returncode}\n{done.stdout[-600:]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-k", default="")
    parser.add_argument("plumb")
    asked = parser.parse_args()
    os.environ["PATH"] = os.path.dirname(os.path.abspath(asked.plumb)) + os.pathsep + os.environ["PATH"]
    count = failures = 0
    with tempfile.TemporaryDirectory() as files:
        os.chdir(files)
        os.environ["HOME"] = files
        prepare()
        for page in [os.path.join(TREE, "README.md"), *sorted(glob.glob(os.path.join(TREE, "docs", "*.md")))]:
            with open(page, encoding="utf-8") as file:
                commands = list(shown(file.read()))
            for line, command in commands if asked.k in page else []:
                right, said = is_right(command)
                count += 1
                failures += not right
                if not right:
                    print(f"{os.path.relpath(page, TREE)}:{line}: {command}\n{said}")
        os.chdir("/")
    print(f"{count} commands of pages, {failures} failed")
    return failures > 0 or count == 0


sys.exit(main())
