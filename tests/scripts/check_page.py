#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: check_page.py PAGE PLUMB
Does what a page of docs tells the reader to do, in an empty folder, and compares what is printed with what the page shows:

    ```c lock.c       the file lock.c
    ```diff lock.c    an edit of it: lines that begin with a space or - stand there, those with + are new
    ```console        $ commands, each followed by what it prints

Blocks of other kinds are left alone."""
import os
import re
import subprocess
import sys
import tempfile


def blocks(text):
    for match in re.finditer(r"^```(\S+)(?: (\S+))?\n(.*?)^```$", text, re.M | re.S):
        line = text.count("\n", 0, match.start()) + 1
        yield line, match.group(1), match.group(2), match.group(3)


def edit(path, body):
    before = "".join(line[1:] for line in body.splitlines(True) if line[0] in " -")
    after = "".join(line[1:] for line in body.splitlines(True) if line[0] in " +")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(before) != 1:
        return f"its old lines stand {text.count(before)} times in {path}"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(before, after))
    return None


def commands(body):
    """Pairs of a command and what it prints."""
    for part in re.split(r"^\$ ", body, flags=re.M)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def run(body):
    for command, shown in commands(body):
        done = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, timeout=60, text=True, check=False)
        if done.stdout != shown:
            return f"$ {command}\n--- the page has\n{shown}--- printed was\n{done.stdout}"
    return None


def main():
    page, plumb = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    with open(page, encoding="utf-8") as file:
        text = file.read()
    os.environ.update(PATH=os.path.dirname(plumb) + os.pathsep + os.environ["PATH"], LC_ALL="C.UTF-8")
    count = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for line, kind, name, body in blocks(text):
            wrong = None
            if kind == "console":
                wrong = run(body)
            elif kind == "diff" and name:
                wrong = edit(name, body)
            elif name:
                with open(name, "w", encoding="utf-8") as file:
                    file.write(body)
            else:
                continue
            count += 1
            if wrong:
                failures += 1
                print(f"{sys.argv[1]}:{line}: {wrong}")
        os.chdir("/")
    print(f"{os.path.basename(page)}: {count} blocks, {failures} failed")
    return failures > 0 or count == 0


sys.exit(main())
