#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: check_page.py [--write] PAGE PLUMB
Does what a page of docs tells the reader to do, in an empty folder, and compares what is printed with what the page shows:

    ```c lock.c       the file lock.c
    ```diff lock.c    an edit of it: lines that begin with a space or - stand there, those with + are new
    ```console        $ commands, each followed by what it prints
        $ command     the same in an indented block, in a folder that has the tree's examples and models; a line ... stands for any lines

Blocks of other kinds are left alone. --write puts what is printed into the page, to be read before it is kept."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def blocks(text):
    for match in re.finditer(r"^```(\S+)(?: (\S+))?\n(.*?)^```$", text, re.M | re.S):
        line = text.count("\n", 0, match.start()) + 1
        yield line, match.group(1), match.group(2), match.group(3), match.start(3)


def indented(text):
    """Blocks that show what a command prints."""
    for match in re.finditer(r"^    \$ .*\n(?:(?:    .*)?\n)*", text, re.M):
        yield text.count("\n", 0, match.start()) + 1, re.sub(r"^    ", "", match.group(0), flags=re.M).rstrip() + "\n"


def is_shown(shown, printed):
    """All of it, or the parts between lines of dots one after the other?"""
    at = 0
    if not re.search(r"^ *\.\.\.\n", shown, re.M):
        return shown == printed
    for part in re.split(r"^ *\.\.\.\n", shown, flags=re.M):
        found = printed.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return True


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
    """What is wrong, and the block as it should be."""
    wrong, printed = None, ""
    for command, shown in commands(body):
        result = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, timeout=60, text=True, check=False)
        printed += f"$ {command}\n{result.stdout}"
        if not is_shown(shown, result.stdout) and not wrong:
            wrong = f"$ {command}\n--- the page has\n{shown}--- printed was\n{result.stdout}"
    return wrong, printed


def main():
    write = sys.argv[1] == "--write"
    page, plumb = (os.path.abspath(argument) for argument in sys.argv[1 + write:3 + write])
    with open(page, encoding="utf-8") as file:
        text = file.read()
    os.environ.update(PATH=os.path.dirname(plumb) + os.pathsep + os.environ["PATH"], LC_ALL="C.UTF-8")
    count, failures, done, new = 0, 0, 0, ""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for line, kind, name, body, at in blocks(text):
            wrong = None
            if kind == "console":
                wrong, printed = run(body)
                if write:
                    new += text[done:at] + printed
                    done, wrong = at + len(body), None
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
                print(f"{page}:{line}: {wrong}")
        for name in "examples", "models":
            shutil.copytree(os.path.join(TREE, name), name)
        for line, body in indented(text) if not write else ():
            wrong, _ = run(body)
            count += 1
            if wrong:
                failures += 1
                print(f"{page}:{line}: {wrong}")
        os.chdir("/")
    if write:
        with open(page, "w", encoding="utf-8") as file:
            file.write(new + text[done:])
    print(f"{os.path.basename(page)}: {count} blocks, {failures} failed")
    return failures > 0 or count == 0


sys.exit(main())
