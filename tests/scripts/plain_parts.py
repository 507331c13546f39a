#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: plain_parts.py [--count N] [--seed S] PLUMB
Random programs whose threads access eight bytes as a whole and by parts. Each is written twice, with plain accesses (explored with --races=allow) and with
relaxed atomic ones, which random_programs --mixed compares with brute force: verdicts have to be the same under each model, and no execution may be missing."""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

MEMBERS = {8: ("whole", "uint64_t"), 4: ("halves", "uint32_t"), 2: ("quarters", "uint16_t"), 1: ("bytes", "uint8_t")}
HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static union __attribute__((aligned(16))) {
    uint64_t whole[1];
    uint32_t halves[2];
    uint16_t quarters[4];
    uint8_t bytes[8];
} x;
static uint64_t found[3][3];
"""


def choose_access(rng):
    size = rng.choice([8, 8, 4, 4, 2, 1])
    member, kind = MEMBERS[size]
    value = f"({kind})({rng.randrange(1, 200)} * 0x0101010101010101ull)"
    return rng.choice("rrwwu"), f"x.{member}[{rng.randrange(8 // size)}]", value


def access(k, what, plain):
    kind, place, value = what
    if kind == "u":
        return f"a[{k}] = __atomic_exchange_n(&{place}, {value}, __ATOMIC_ACQ_REL);"
    if kind == "r":
        return f"a[{k}] = {place};" if plain else f"a[{k}] = __atomic_load_n(&{place}, __ATOMIC_RELAXED);"
    return f"{place} = {value};" if plain else f"__atomic_store_n(&{place}, {value}, __ATOMIC_RELAXED);"


def write(threads, plain, wrong):
    text = HEAD
    for t, accesses in enumerate(threads):
        text += f"static void *t{t}(void *p)\n{{\n    uint64_t a[3] = {{0}};\n"
        text += "".join(f"    {access(k, what, plain)}\n" for k, what in enumerate(accesses))
        text += "".join(f"    found[{t}][{k}] = a[{k}];\n" for k in range(3)) + "    return p;\n}\n"
    numbers = range(len(threads))
    text += "int main(void)\n{\n    pthread_t t[3];\n"
    text += "".join(f"    pthread_create(&t[{t}], 0, t{t}, 0);\n" for t in numbers)
    text += "".join(f"    pthread_join(t[{t}], 0);\n" for t in numbers)
    text += "    uint64_t sum = x.whole[0];\n    for (int k = 0; k < 9; k++)\n        sum = sum * 31 + found[k / 3][k % 3];\n"
    return text + f"    assert(sum % 7 != {wrong});\n}}\n"


def ask(plumb, path, options):
    done = subprocess.run([plumb, "check", path, "-q", "--json", "-", *options], stdout=subprocess.PIPE, timeout=100, text=True, check=False)
    answer = json.loads(done.stdout)
    return answer["verdict"], answer.get("executions", 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("plumb")
    asked = parser.parse_args()
    failed = more = compared = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(asked.count):
            rng = random.Random(asked.seed * 1000003 + number)
            threads = [[choose_access(rng) for _ in range(rng.choice([1, 2, 2, 3]))] for _ in range(rng.choice([2, 2, 2, 3]))]
            wrong = rng.choice([7, 7, rng.randrange(7)])
            paths = [os.path.join(folder, name) for name in ("atomic.c", "plain.c")]
            for path, plain in zip(paths, (False, True)):
                with open(path, "w", encoding="ascii") as file:
                    file.write(write(threads, plain, wrong))
            for memory in "rc11", "tso", "sc":
                atomic, plain = (ask(asked.plumb, path, ["--memory", memory, *options])
                                 for path, options in zip(paths, (["--no-fold"], ["--races=allow"])))
                compared += 1
                more += atomic[0] == plain[0] == "holds" and plain[1] > atomic[1]
                if atomic[0] != plain[0] or (plain[0] == "holds" and plain[1] < atomic[1]):
                    failed += 1
                    print(f"FAILED seed {asked.seed}, program {number}, {memory}: atomic {atomic}, plain {plain}\n{write(threads, True, wrong)}")
    print(f"plain parts: {compared} compared, {failed} failed; {more} with executions more than once")
    return failed > 0 or compared == 0


sys.exit(main())
