# SPDX-License-Identifier: Apache-2.0
"""Random scripts for interpreter.cpp: the outcomes with our headers and with those of the library have to be the same."""

import json
import os
import random
import subprocess
import sys


def make_scripts(rng):
    """Two or three threads of one to three steps on one or two kinds of objects, with looks and notes between. The barrier is for
    two threads, equally often; the promise is kept once at most."""
    kinds = "".join(rng.sample(("aarrt", "ddw", "pff", ""), 2))
    threads = []
    for _ in range(rng.choice((2, 2, 3))):
        steps = [rng.choice(kinds or "n") + rng.choice(("", "n", "X", "y", "Y", "x", "+" if rng.random() < 0.2 else "n"))
                 for _ in range(rng.randint(1, 2))]
        threads.append(rng.choice(("", "", "n", "x", "y")) + "".join(steps))
    for first in [(i, t.index("p")) for i, t in enumerate(threads) if "p" in t][:1]:
        threads = [t.replace("p", "n") for t in threads]
        threads[first[0]] = threads[first[0]][:first[1]] + "p" + threads[first[0]][first[1] + 1:]
    if rng.random() < 0.3:
        for i in rng.sample(range(len(threads)), 2):
            at = rng.randint(0, len(threads[i]))
            threads[i] = threads[i][:at] + "b" + threads[i][at:]
    return threads, rng.randint(0, 1)


def outcomes(tools, variant, model, seconds):
    """The set of errors, or None when not all was explored."""
    subprocess.run([tools["plumb"], "check", "--all-errors", "--memory", model, "--time", str(seconds), "--json", "answer.json",
                    "--no-repair", "./" + variant], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    with open("answer.json", encoding="utf-8") as f:
        answer = json.load(f)
    os.remove("answer.json")
    text = json.dumps(answer)
    if any(word in text for word in ("time limit met", "executions beyond")):
        return None
    return {e["kind"] if e["kind"] != "assert" else e["why"].split('"')[3] for e in answer.get("errors", [])}


def main():
    plumb, cxx, folder, count, seconds, seed = sys.argv[1:]
    tools = {"plumb": plumb}
    os.chdir(folder)
    rng = random.Random(int(seed))
    compared = skipped = 0
    for number in range(int(count)):
        scripts, permits = make_scripts(rng)
        with open("script.c", "w", encoding="utf-8") as f:
            words = ", ".join(f'"{s}"' for s in scripts)
            f.write(f"const char *const scripts[] = {{{words}, 0}};\nconst int permits = {permits};\n")
        for variant in ("ours", "library"):
            subprocess.run([cxx, "-x", "c", "script.c", "-x", "none", variant + ".o", "-o", variant], check=True)
        for model in ("sc", "tso", "rc11"):
            ours, library = (outcomes(tools, v, model, int(seconds)) for v in ("ours", "library"))
            if ours is None or library is None:
                skipped += 1
                continue
            compared += 1
            if os.environ.get("WAITS_VERBOSE"):
                print(number, model, scripts, permits, sorted(ours), sorted(library))
            # errors of the library itself: docs/errors.md
            if ours - {"deadlock"} != library - {"deadlock"} or ("deadlock" in ours and "deadlock" not in library):
                print(f"{number} {model}: {scripts}, {permits} permits: {sorted(ours)} here, {sorted(library)} with the library")
                return 1
    print(f"waits: {compared} compared, {skipped} not ended within {seconds} s")
    return 0


sys.exit(main())
