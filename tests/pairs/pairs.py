# SPDX-License-Identifier: Apache-2.0
"""Pairs of programs as text: one file, wrong with -DBUG and right without.

A template is C with places `$what is wrong$what is right$` and words in capitals, for each of which there is a list of variants: the
product of the lists is the pairs. All begin with PRELUDE."""
import itertools
import re

PRELUDE = """#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static __thread volatile long sink;
#define KEEP(x) (sink = (long)(x))
#define NOINLINE __attribute__((noinline))
int n = 3, zero = 0, one = 1;
"""
# Two threads, and a lock that both hold where the program is right.
THREADS = """static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void lock(void) { $$pthread_mutex_lock(&mutex);$ }
static void unlock(void) { $$pthread_mutex_unlock(&mutex);$ }
HEAD
static void *second(void *unused) { (void)unused; LOCAL lock(); SECOND; unlock(); return 0; }
int main(void) {
    pthread_t partner; START
    pthread_create(&partner, 0, second, 0);
    { LOCAL lock(); FIRST; unlock(); }
    pthread_join(partner, 0);
    return 0;
}
"""


class Pair:
    def __init__(self, group, name, text, flags=(), cpp=False):
        self.group, self.name, self.flags = group, f"{group}/{name}", list(flags) + (["-std=c++20"] if cpp else [])
        self.extension = "cpp" if cpp else "c"
        self.text = "/* SPDX-License-Identifier: Apache-2.0 */\n" + re.sub(
            r"\$([^$]*)\$([^$]*)\$", r"\n#ifdef BUG\n\1\n#else\n\2\n#endif\n", PRELUDE + text.strip("\n") + "\n")


class Group:
    """The pairs of one class."""

    def __init__(self, name):
        self.name, self.pairs = name, []

    def add(self, name, text, flags=(), cpp=False, **variants):
        """NAME=[...] are the variants of a word; those of a dictionary have names, which the name of the pair ends with."""
        named = [[(word, key, v[key]) if isinstance(v, dict) else (word, re.sub(r"\W+", "_", key), key) for key in v]
                 for word, v in variants.items()]
        for choice in itertools.product(*named):
            filled = text
            for word, _, value in choice:
                filled = re.sub(rf"\b{word}\b", lambda _: value, filled)
            self.pairs.append(Pair(self.name, "-".join([name] + [key for _, key, _ in choice]), filled, flags, cpp))

    def race(self, name, first, second, head="", start="", local="", **options):
        """Two threads do FIRST and SECOND at the same time."""
        text = THREADS
        for word, value in (("HEAD", head), ("START", start), ("LOCAL", local), ("FIRST", first), ("SECOND", second)):
            text = re.sub(rf"\b{word}\b", lambda _: value, text)
        self.add(name, text, **options)
