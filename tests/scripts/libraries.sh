#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: libraries.sh PLUMB
# Code that was not instrumented is named with the verdict, and a process that a library blocks is given up soon.
set -uo pipefail

plumb=$(realpath "$1")
# shellcheck source=tests/support/skips.sh
source "$(dirname "${BASH_SOURCE[0]}")/.."/support/skips.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failures=0 count=0

command=check
expect() { # PATTERN EXIT ARGUMENTS OF plumb $command...
    local pattern=$1 status=$2 output
    shift 2
    count=$((count + 1))
    output=$("$plumb" "$command" "$@" 2>&1)
    local got=$?
    # shellcheck disable=SC2053 # it is a pattern
    if [[ $got -ne $status || $output != $pattern ]]; then
        printf "plumb $command %s: exit %s, expected %s and %s, got\n%s\n" "$*" "$got" "$status" "$pattern" "$output"
        failures=$((failures + 1))
    fi
}

cat >threads.c <<'END'
#include <pthread.h>
int shared;
void bump(int *);
static void *run(void *unused) { bump(&shared); return unused; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    bump(&shared);
    pthread_join(t, NULL);
    return 0;
}
END
echo 'void bump(int *p) { ++*p; }' >bump.c
gcc -O1 -shared -fPIC bump.c -o libbump.so && gcc -O1 -c bump.c -o bump.o && ar rc libstill.a bump.o
printf '.globl bump\n.type bump,@function\nbump:\n incl (%%rdi)\n ret\n .section .note.GNU-stack,"",@progbits\n' >bump_asm.s
gcc -c bump_asm.s -o bump_asm.o

expect '*holds (all 1 execution; not examined: libbump.so: bump)' 0 threads.c -- -L. -lbump "-Wl,-rpath,$PWD"
if [ "$(uname -m)" != x86_64 ]; then
    skip "for x86-64" 5
else
    expect '*holds (all 1 execution; not examined: the program: bump)' 0 threads.c -- bump.o
    expect '*holds (all 1 execution; not examined: the program: bump)' 0 threads.c -- -L. -lstill
    expect '*holds (all 1 execution; not examined: the program: bump)' 0 threads.c -- bump_asm.o

    # what would be invisible steps: nothing is run
    echo 'int bump(int *p) { return __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST); }' >locked.c
    printf '#include <plumb.h>\nint bump(int *);\nstatic int n;\nPLUMB_OP(add) { return PLUMB_INT(bump(&n)); }\n' >harness.c
    gcc -O1 -c locked.c -o locked.o
    expect '*inconclusive (not run: assembly whose steps cannot be seen: lock xadd in bump*' 3 threads.c -- locked.o
    command=auto expect '*inconclusive (0 tests*; not run: assembly whose steps cannot be seen: lock xadd in bump*' 3 harness.c -- locked.o
fi
expect '*violated*data race*' 1 threads.c bump.c

# What code without hooks orders, or keeps, makes no error of a right program silently.
cat >spin.c <<'END'
static int taken;
void spin_lock(void) { while (__atomic_exchange_n(&taken, 1, __ATOMIC_ACQUIRE)) continue; }
void spin_unlock(void) { __atomic_store_n(&taken, 0, __ATOMIC_RELEASE); }
static long kept;
void keep(long v) { __atomic_store_n(&kept, v, __ATOMIC_RELEASE); }
long look(void) { return __atomic_load_n(&kept, __ATOMIC_ACQUIRE); }
END
gcc -O1 -shared -fPIC spin.c -o libspin.so
cat >locks.c <<'END'
#include <pthread.h>
void spin_lock(void), spin_unlock(void);
static int n;
static void *run(void *unused) { spin_lock(); n++; spin_unlock(); return unused; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    run(0);
    return pthread_join(t, 0);
}
END
cat >keeps.c <<'END'
#include <plumb.h>
void keep(long);
long look(void);
PLUMB_OBJECT(register)
PLUMB_OP(write, long, v) { keep(v); return PLUMB_OK; }
PLUMB_OP(read) { return PLUMB_INT(look()); }
END
cat >loses.c <<'END'
#include <plumb.h>
#include <stdatomic.h>
long look(void);
static atomic_int n;
PLUMB_OBJECT(counter)
PLUMB_OP(add, int, v) { int x = atomic_load(&n) + (int)look(); atomic_store(&n, x + v); return PLUMB_OK; }
PLUMB_OP(get) { return PLUMB_INT(atomic_load(&n)); }
END
command=auto expect '*violated*not linearizable*' 1 loses.c -- -L. -lspin "-Wl,-rpath,$PWD"
expect '*violated (not examined: libspin.so: spin_lock, spin_unlock, which may order threads)*' 1 locks.c -- -L. -lspin "-Wl,-rpath,$PWD"
expect '*inconclusive (not confirmed: *code that is not examined may be why: keep)*' 3 keeps.c --test 'write(1) | read' -- -L. -lspin "-Wl,-rpath,$PWD"
"$plumb" check threads.c --json seen.json -- -L. -lbump "-Wl,-rpath,$PWD" >/dev/null
grep -q '"unseen":\[{"library":"libbump.so","function":"bump"}\]' seen.json || { echo "no member unseen"; failures=$((failures + 1)); }

cat >found.c <<'END'
#include <dlfcn.h>
#include <pthread.h>
static int shared;
static void (*bump)(int *);
static void *run(void *unused) { bump(&shared); return unused; }
int main(void)
{
    pthread_t t;
    bump = (void (*)(int *))dlsym(dlopen("./libbump.so", RTLD_NOW), "bump");
    pthread_create(&t, NULL, run, NULL);
    bump(&shared);
    pthread_join(t, NULL);
    return 0;
}
END
expect '*not examined: libbump.so: bump)' 0 found.c

cat >compressed.c <<'END'
#include <pthread.h>
#include <zlib.h>
static unsigned char data[8];
static void *run(void *unused) { return crc32(0, data, 8) ? unused : unused; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    data[0] = 1;
    pthread_join(t, NULL);
    return 0;
}
END
if echo '#include <zlib.h>' | gcc -fsyntax-only -xc - 2>/dev/null; then
    expect '*not examined: libz.so.1: crc32)' 0 compressed.c -- -lz
fi

cat >pool.c <<'END'
int main(void)
{
    int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += 1;
    return sum != 2;
}
END
openmp='threads of OpenMP cannot be controlled (docs/limits.md#openmp)'
expect "*inconclusive (the process is blocked in GOMP_parallel of libgomp.so.1, where $openmp (pool.c:4))" 3 pool.c --cc gcc -- -fopenmp
if clang -fopenmp pool.c -o pool.omp 2>/dev/null; then
    expect "*inconclusive (not supported: mmap of a file that is shared and writable (libomp.so*): $openmp*" 3 pool.c --cc clang -- -fopenmp
else
    skip "libomp is not installed"
fi

cat >held.c <<'END'
#include <fcntl.h>
#include <sys/file.h>
int main(void)
{
    int a = open("lock", O_RDWR | O_CREAT, 0600), b = open("lock", O_RDWR);
    flock(a, LOCK_EX);
    return flock(b, LOCK_EX);
}
END
expect '*inconclusive (the process is blocked in flock of libc.so.6, * (held.c:7))' 3 held.c

summary "answers" $count $failures
exit $((failures > 0))
