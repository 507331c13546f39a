#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs with loops, compiled and checked by the tool, against every state that they reach:
  loops.py [--count N] [--seed S] [--models sc,tso,rc11] [--kinds A,B] [--cc gcc] [--flags=-O2] [--jobs N] [--time S] [--executions N]
           [--steps N] [--loops N] [--off] [--progress] [--with=OPTION] [--only SEED] [--keep FOLDER] [--reduce] PLUMB LOOP_TRUTH

Outcomes, dead ends, failed assertions and races of each exploration are compared with what tests/campaigns/loop_truth.c finds under sc and
tso, and of rc11 with what both of them allow and with the literal exploration of a few rounds (--loops). An exploration that ends has
to have all outcomes, and none may have others. Then one outcome is an error, and the verdict has to say so. --off: also without
rules for loops, for the table of how many explorations end. --progress: which of the threads block others when they stop forever, instead
of the verdicts. Failing programs are kept, with --reduce made smaller, and the exit code is 1."""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source tree is left as it is
import loop_programs  # noqa: E402
import loop_text  # noqa: E402

BATCH = 30
MASKED = 1900  # explorations that are longer also run samples of executions, whose outcomes count for nothing
REDUCED = 3  # of the failing programs
ENOUGH = 12  # rounds: every outcome of these programs needs fewer
STUCK = {"deadlock", "runaway"}

options = argparse.ArgumentParser()
options.add_argument("--count", type=int, default=60)
options.add_argument("--seed", type=int, default=1)
options.add_argument("--models", default="sc,tso,rc11")
options.add_argument("--kinds", default=",".join(loop_programs.KINDS))
options.add_argument("--cc", default="clang")
options.add_argument("--flags", default="")
options.add_argument("--jobs", type=int, default=1)
options.add_argument("--time", type=float, default=2)
options.add_argument("--executions", type=int, default=5000)
options.add_argument("--steps", type=int, default=600)
options.add_argument("--loops", type=int, default=3)
options.add_argument("--off", action="store_true")
options.add_argument("--progress", action="store_true")
options.add_argument("--with", dest="more", action="append", default=[])
options.add_argument("--only", type=int)
options.add_argument("--keep", default=".")
options.add_argument("--reduce", action="store_true")
options.add_argument("plumb")
options.add_argument("truth")
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
scratch = tempfile.mkdtemp(prefix="loops.")
counts = collections.Counter()
ends = collections.defaultdict(collections.Counter)  # (kind, model, rules) -> runs, ended
reasons = collections.Counter()


def rules():
    """Options with the rules for loops and without."""
    text = subprocess.run([options.plumb, "check", "--help"], capture_output=True, text=True).stdout
    return ([], ["--no-fold"]) if "--no-fold" in text else (["--fold"], [])


def compile_file(programs, folder, name, flags):
    source, binary = os.path.join(folder, name + ".c"), os.path.join(folder, name)
    with open(source, "w") as f:
        f.write(loop_text.c_file(programs))
    command = [os.path.join(root, "build", "bin", "plumb-cc"), source, "-o", binary, *flags, f"-L{scratch}", "-loutcome_sink", f"-Wl,-rpath,{scratch}"]
    subprocess.run(command, check=True, env=dict(os.environ, PLUMB_CC=options.cc))
    return binary


def compile_sink():
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", os.path.join(root, "tests/support/outcome_sink.c"), "-o",
                    os.path.join(scratch, "liboutcome_sink.so")], check=True)


def truths(programs):
    text = "".join(loop_programs.instructions(p, str(i)) for i, p in enumerate(programs))
    done = subprocess.run([options.truth], input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


class Answer:
    def __init__(self, text, status, outcomes, said):
        self.document = json.loads(text) if text.strip() else {}
        self.status, self.outcomes, self.said = status, outcomes, said
        self.verdict = self.document.get("verdict", "none")
        self.kinds = {self.document["error"]} if self.document.get("error") else set()
        self.limits = self.document.get("limits", [])
        self.ended = self.verdict == "holds"  # every outcome was seen
        self.decided = self.verdict in ("holds", "violated")
        self.executions = self.document.get("executions", 0)

    def rounds(self):
        """How many rounds were covered, without anything else left out."""
        match = re.fullmatch(r"no error in every execution with at most (\d+) rounds? of .*", "; ".join(self.limits))
        return int(match.group(1)) if match else 0

    def __str__(self):
        return f"{self.verdict} {sorted(self.kinds)} {self.limits} {self.executions} executions"


def check(binary, pick, model, more, lost=None):
    """Runs the tool. Without `lost` outcomes are collected."""
    folder = tempfile.mkdtemp(dir=scratch)
    outcomes, answer = os.path.join(folder, "outcomes"), os.path.join(folder, "answer.json")
    environment = dict(os.environ, PICK=str(pick), OUTCOMES=outcomes)
    if lost is not None:
        environment["LOST"] = lost
    command = [options.plumb, "check", binary, "--memory", model, "--no-repair", "-q", "--steps", str(options.steps), "--executions",
               str(options.executions), "--time", str(options.time), "--trace", os.path.join(folder, "t.plr"), "--json", answer, *more]
    done = subprocess.run(command, capture_output=True, env=environment, timeout=120)
    text = open(answer).read() if os.path.exists(answer) else ""
    seen = set(open(outcomes).read().split("\n")) - {""} if os.path.exists(outcomes) else set()
    shutil.rmtree(folder)
    return Answer(text, done.returncode, seen, done.stderr.decode(errors="replace"))


def expected(program, truth, model):
    """What is known about a model: exact or a lower bound, outcomes, dead ends, failures."""
    sc, tso = truth["sc"], truth["tso"]
    if model == "sc" or (model == "rc11" and loop_programs.is_as_sc(program)):
        return True, set(sc["finals"]), sc["stuck"], sc["failed"]
    if model == "tso":
        return not tso["capped"] and not tso["gave_up"], set(tso["finals"]), tso["stuck"] or sc["stuck"], tso["failed"]
    return False, set(sc["finals"]) | set(tso["finals"]), sc["stuck"], sc["failed"] or tso["failed"]


def judge(program, truth, model, answer):
    """What is wrong with an exploration of all outcomes, or None."""
    exact, finals, stuck, _ = expected(program, truth, model)
    if answer.status not in (0, 1, 3) or answer.verdict not in ("holds", "violated", "inconclusive"):
        return f"no answer: exit {answer.status}, {answer.said[-300:]}"
    if any("nondeterministic" in limit for limit in answer.limits):
        return "called nondeterministic"
    if answer.kinds - STUCK - {"race"}:
        return "another error: " + " ".join(answer.kinds)
    if "race" in answer.kinds or truth["sc"]["race"]:
        return judge_race(truth, model, answer)
    if exact and answer.outcomes - finals:
        return f"impossible outcome: {sorted(answer.outcomes - finals)[0]}"
    if exact and answer.kinds & STUCK and not stuck:
        return "stuck, but every state leads to an end"
    if answer.ended and finals - answer.outcomes:
        return f"lost outcome: {sorted(finals - answer.outcomes)[0]}"
    if answer.ended and stuck:
        return "lost dead end"
    if answer.rounds() >= ENOUGH and finals - answer.outcomes:
        return f"lost outcome of few rounds: {sorted(finals - answer.outcomes)[0]}"
    return None


def judge_race(truth, model, answer):
    if answer.ended and truth["sc"]["race"]:
        return "lost race"
    if "race" in answer.kinds and not truth["sc"]["race"] and model != "rc11":
        return "race, but plain accesses never meet"
    return None


def judge_verdict(program, truth, model, answer, lost):
    """What is wrong with the verdict about a program in which the outcome `lost` is an error."""
    exact, finals, stuck, failed = expected(program, truth, model)
    if answer.status not in (0, 1, 3):
        return f"no answer: exit {answer.status}, {answer.said[-300:]}"
    if truth["sc"]["race"]:
        return None
    if answer.verdict == "holds" and (lost in finals or stuck or failed):
        return f"holds, with the outcome {lost} as an error" if lost in finals else "holds, stuck or with a failed assertion"
    if exact and answer.verdict == "violated":
        if "assert" in answer.kinds and not failed and lost not in finals:
            return "an assertion fails that cannot"
        if answer.kinds & STUCK and not stuck:
            return "stuck, but every state leads to an end"
    return None


def note_end(program, model, name, answer):
    row = ends[program.kind, model, name]
    row["runs"] += 1
    row["ended"] += answer.decided
    if not answer.decided and name == "on":
        reasons[re.sub(r"\d+ rounds? of [^;]*| \([^;]*:\d+\)", " N rounds", "; ".join(answer.limits))] += 1


def other_outcome(rng, finals):
    """One that is near: a value of it is another."""
    words = rng.choice(sorted(finals)).split(" ")
    at = rng.randrange(len(words))
    words[at] = str((int(words[at]) + 1) % 3)
    return " ".join(words)


def examine(program, truth, binaries, pick, model, rng):
    """All runs of one program under one model. What is wrong, or None."""
    on, off = options.rules
    answer = check(binaries[0], pick, model, on + options.more)
    counts["explorations"] += 1
    note_end(program, model, "on", answer)
    wrong = judge(program, truth, model, answer)
    if wrong:
        return f"{wrong} ({answer})"
    if options.off:
        plainly = check(binaries[0], pick, model, off)
        note_end(program, model, "off", plainly)
        wrong = judge(program, truth, model, plainly)
        if wrong:
            return f"without rules: {wrong} ({plainly})"
    if options.progress:
        return examine_progress(program, truth, binaries[0], pick, model) if answer.ended else None
    if model == "rc11" and answer.ended and not loop_programs.is_as_sc(program):
        wrong = examine_literally(program, answer, binaries[0], pick, off)
        if wrong:
            return wrong
    return examine_verdict(program, truth, binaries[1], pick, model, rng, answer)


def examine_progress(program, truth, binary, pick, model):
    """A program with which nothing is wrong: does a thread that stops forever block others? Main is not among those that the truth knows."""
    answer = check(binary, pick, model, [*options.rules[0], *options.more, "--progress"])
    counts["with threads that stop"] += 1
    counts["non-blocking"] += answer.verdict == "holds"
    counts["blocking"] += answer.verdict == "violated"
    exact, _, _, _ = expected(program, truth, model)
    blocked = truth["tso" if model == "tso" else "sc"]["blocked"]
    why = answer.document.get("counterexample", {}).get("why", "")
    thread = re.search(r"if T(\d+) stops", why)
    if answer.status not in (0, 1, 3) or answer.kinds - {"not-non-blocking"}:
        return f"another answer with threads that stop ({answer}, {answer.said[-300:]})"
    if answer.verdict == "holds" and blocked:
        return f"holds, although threads {blocked:b} block others ({answer})"
    if exact and answer.verdict == "violated" and (not thread or int(thread[1]) and not blocked >> int(thread[1]) - 1 & 1):
        return f"not blocking: {why} (the truth is {blocked:b})"
    return None


def examine_literally(program, answer, binary, pick, off):
    """Every outcome of a few rounds is one of the exploration that ended."""
    literal = check(binary, pick, "rc11", [*off, "--loops", str(options.loops)])
    counts["literal explorations"] += 1
    if literal.outcomes - answer.outcomes and not literal.kinds & {"race"}:
        return f"lost outcome of {options.loops} rounds: {sorted(literal.outcomes - answer.outcomes)[0]} ({answer})"
    if literal.verdict == "violated":
        return f"lost error of {options.loops} rounds: {sorted(literal.kinds)} ({answer})"
    return None


def examine_verdict(program, truth, binary, pick, model, rng, answer):
    exact, finals, _, _ = expected(program, truth, model)
    wanted = [rng.choice(sorted(finals))] if finals else []
    if answer.executions > MASKED and finals:
        wanted += rng.sample(sorted(finals), min(2, len(finals)))
    elif finals and rng.random() < 0.3:
        wanted += [other_outcome(rng, finals)]
    if not answer.ended and rng.random() < 0.7:
        return None
    for lost in wanted:
        verdict = check(binary, pick, model, options.rules[0] + options.more, lost)
        counts["verdicts"] += 1
        counts["violated"] += verdict.verdict == "violated"
        wrong = judge_verdict(program, truth, model, verdict, lost)
        if wrong:
            return f"verdict: {wrong} ({verdict})"
    return None


def examine_alone(program, model, seed):
    """The same for a program in a file of its own, from nothing."""
    folder = tempfile.mkdtemp(dir=scratch)
    try:
        truth = truths([program])[0]
        if truth["sc"]["gave_up"]:
            return None
        binaries = [compile_file([program], folder, name, flags) for name, flags in variants()]
        return examine(program, truth, binaries, 0, model, random.Random(seed))
    finally:
        shutil.rmtree(folder)


def variants():
    flags = options.flags.split()
    return ("outcomes", flags), ("verdict", [*flags, "-DVERDICT"])


def reduced(program, model, seed, wrong):
    """Ever smaller programs that are wrong in the same way."""
    def same(candidate):
        try:
            found = examine_alone(candidate, model, seed)
        except (SystemExit, subprocess.SubprocessError):
            return None
        return found if found and found.split(":")[0] == wrong.split(":")[0] else None
    smaller = True
    while smaller:
        smaller = False
        for candidate in loop_programs.smaller(program):
            found = same(candidate)
            if found:
                program, wrong, smaller = candidate, found, True
                break
    return program, wrong


def complain(seed, program, model, wrong):
    counts["wrong"] += 1
    print(f"FAILED seed {seed} ({program.kind}, {model}, {options.cc} {options.flags}): {wrong}", flush=True)
    if options.reduce and counts["wrong"] <= REDUCED:
        program, wrong = reduced(program, model, seed, wrong)
        print(f"  reduced: {wrong}", flush=True)
    path = os.path.join(options.keep, f"loops_{seed}_{model}.c")
    truth = truths([program])[0]
    with open(path, "w") as f:
        f.write(f"/* seed {seed}, {model}: {wrong} */\n/* {json.dumps(truth)} */\n/* {program.threads} {program.results} */\n")
        f.write(loop_text.c_file([program]))
    print(f"  kept as {path}", flush=True)


def batches():
    wanted, batch, seed = options.kinds.split(","), [], options.seed * 1000000
    if options.only is not None:
        yield [(options.only, loop_programs.make(options.only))]
        return
    made = 0
    while made < options.count:
        program = loop_programs.make(seed)
        if program.kind in wanted:
            batch.append((seed, program))
            made += 1
        seed += 1
        if batch and (len(batch) == BATCH or made == options.count):
            yield batch
            batch = []


def run_batch(batch):
    found, folder = truths([p for _, p in batch]), tempfile.mkdtemp(dir=scratch)
    binaries = [compile_file([p for _, p in batch], folder, name, flags) for name, flags in variants()]
    work = []
    for pick, ((seed, program), truth) in enumerate(zip(batch, found)):
        if truth["sc"]["gave_up"] or truth["tso"]["gave_up"]:
            counts["too large"] += 1
            continue
        counts["programs"] += 1
        work += [(seed, program, truth, pick, model) for model in options.models.split(",")]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        def one(w):
            return examine(w[1], w[2], binaries, w[3], w[4], random.Random(w[0]))
        for (seed, program, _, _, model), wrong in zip(work, pool.map(one, work)):
            if wrong:
                complain(seed, program, model, wrong)
    shutil.rmtree(folder)


def try_truth():
    """The search finds what is known by hand."""
    cases = list(loop_programs.known())
    for (name, _, models, stuck, race), truth in zip(cases, truths([c[1] for c in cases])):
        finals = {m: set(truth[m]["finals"]) for m in models}
        wrong = [m for m, (some, none) in models.items() if not set(some) <= finals[m] or set(none) & finals[m]]
        if wrong or truth["sc"]["stuck"] != stuck or truth["sc"]["race"] != race:
            sys.exit(f"loop_truth is wrong about {name}: {truth}")


def print_table():
    models, names = options.models.split(","), ["off", "on"] if options.off else ["on"]
    print("ends, %".ljust(12) + "".join(f"{m + ' ' + n:>14}" for m in models for n in names))
    for kind in loop_programs.KINDS:
        rows = [ends[kind, m, n] for m in models for n in names]
        if any(r["runs"] for r in rows):
            print(kind.ljust(12) + "".join(f"{100 * r['ended'] / r['runs']:9.1f}/{r['runs']:<4}" if r["runs"] else " " * 14 for r in rows))


def main():
    try_truth()
    compile_sink()
    for batch in batches():
        run_batch(batch)
    print_table()
    for reason, number in reasons.most_common(8):
        print(f"  {number} did not end: {reason}")
    wrong = counts.pop("wrong", 0)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    print(f"programs: {counts['programs']} run, {wrong} failed" + (f", {counts['too large']} skipped (too large)" if counts["too large"] else ""))
    return 1 if wrong else 0


options = options.parse_args()
options.plumb, options.truth = os.path.realpath(options.plumb), os.path.realpath(options.truth)
options.rules = rules()
try:
    sys.exit(main())
finally:
    shutil.rmtree(scratch)
