#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: plumb_cc.sh [ROOT]
# The compiler wrappers, with every compiler that is here and an empty runtime of the test's own.
set -euo pipefail

root=$(cd "${1:-.}" && pwd)
# shellcheck source=tests/support/skips.sh
source "$root/tests"/support/skips.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir tmp runtime "a folder"
export TMPDIR=$work/tmp PLUMB_LIB_DIR=$work/runtime
checks=0 failures=0

cc=$root/build/bin/plumb-cc cxx=$root/build/bin/plumb-c++

check() { # WHAT COMMAND...: the command succeeds
    local what=$1
    shift
    checks=$((checks + 1))
    if ! "$@" >output 2>&1; then
        failures=$((failures + 1))
        printf '%s: %s: failed: %s\n' "${PLUMB_CC:-}" "$what" "$*"
        sed 's/^/    /' output
    fi
}

refuse() { # MESSAGE COMMAND...: the command fails with exit code 1 and says so
    local message=$1 status=0
    shift
    checks=$((checks + 1))
    "$@" >output 2>&1 || status=$?
    if [ $status -ne 1 ] || ! grep -qF -- "$message" output; then
        failures=$((failures + 1))
        printf '%s: exit code %d, expected 1 and "%s": %s\n' "${PLUMB_CC:-}" $status "$message" "$*"
        sed 's/^/    /' output
    fi
}

shows() { # PATTERN ARGUMENTS...: --plumb-show prints a line that matches
    local pattern=$1
    shift
    "$cc" --plumb-show "$@" | grep -E -- "$pattern" >/dev/null
}

shows_not() {
    ! shows "$@"
}

instrumented() {
    nm "$1" | grep -q '__tsan_func_entry'
}

records() { # PATTERN FILE: the options with which it was compiled
    readelf -p .GCC.command.line "$2" | grep -E -- "$1"
}

announces() { # SOURCE PATTERN
    "$cc" -S -x c - -o - <<<"$1" | grep -E -- "$2"
}

needed() { # PROGRAM: the libraries, in the order of look-up
    readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
}

runtime_first() {
    [ "$(needed "$1" | head -n 1)" = libplumb-rt.so ] && ! needed "$1" | grep -q tsan &&
        readelf -d "$1" | grep -qE 'NOW'
}

ends_with() { # CODE COMMAND...
    local wanted=$1 status=0
    shift
    "$@" || status=$?
    [ $status -eq "$wanted" ]
}

prepare() {
    local size
    {
        echo 'void __tsan_init(void) {} void __tsan_func_entry(void *p) { (void)p; } void __tsan_func_exit(void) {}'
        echo 'void __plumb_scope_unused(void) {} void __plumb_note_thread_object(void) {} void __sanitizer_annotate_contiguous_container(void) {}'
        echo 'void __plumb_scope_begin(unsigned long n, void *p) { (void)n; (void)p; }'
        echo 'void __plumb_scope_end(unsigned long n, void *p) { (void)n; (void)p; }'
        echo 'void __plumb_scope_object(void) {} void __plumb_note_objects(void) {} void __plumb_bounds_fail(void) {} void __plumb_undefined_fail(void) {}'
        echo 'void *__plumb_undefined_arguments[17], *__plumb_undefined_result[17]; void __plumb_undefined_declare(void) {}'
        echo 'void __tsan_vptr_update(void **p, void *v) { (void)p; (void)v; }'
        echo 'void __tsan_vptr_read(void **p) { (void)p; }'
        for size in 1 2 4 8; do
            echo "void __tsan_read$size(void *p) { (void)p; } void __tsan_write$size(void *p) { (void)p; }"
            echo "long __tsan_read${size}_shadow(void *p) { return !p; } void __tsan_write${size}_shadow(void *p) { (void)p; }"
        done
    } >runtime.c
    cc -shared -fPIC -Wl,-soname,libplumb-rt.so runtime.c -o runtime/libplumb-rt.so
    printf '#include "three.h"\nint four;\nint get(void);\nint main(void) { return get() + four; }\n' >main.c
    echo 'int three = 3; int get(void) { return three + 4; }' >get.c
    echo 'int three = 3; int get(void) { return three + 5; }' >"a folder/get.c"
    echo 'extern int three;' >three.h
    echo 'struct base { virtual int value() { return 6; } virtual ~base() {} }; int main() { base b; base *p = new base; int v = p->value() + b.value(); delete p; return v; }' >virtual.cpp
    echo '.globl assembled' >assembly.s
    echo 'int count = 4; void step(void) { count++; }' >count.c
    echo 'extern int count; void step(void); int main(void) { step(); return count; }' >counts.c
}

compile_only() {
    check "compiles" "$cc" -c get.c -o get.o
    check "instruments" instrumented get.o
    check "compresses debug information" "$cc" -g -gz -c get.c -o get.o
    check "instruments that" instrumented get.o
    check "makes assembly" "$cc" -S get.c -o get.s
    check "instruments assembly" grep -q __tsan get.s
    check "preprocesses" "$cc" -E main.c -o main.i
    check "preprocesses the standard input" bash -c "echo 'int x;' | '$cc' -E -"
    check "lists dependencies" "$cc" -M main.c
    check "compiles assembly" "$cc" -Werror -c assembly.s -o assembly.o
    check "writes dependencies" "$cc" -MD -MF list.d -c main.c -o main.o
    check "wrote them" grep -q three.h list.d
    check "the user's optimisation is the only one" shows_not '-O1|-fno-tree-dce' -O2 -c get.c
    echo -O3 >level
    check "in a response file, too" shows_not '-O1|-O0' @level -c get.c
    check "or with the compiler" env PLUMB_CC="$PLUMB_CC -Os" "$cc" -c get.c -o level.o
    check "an object says so" records '-Os' level.o
    check "objects say when every access happens" records '-fno-tree-dce|-disable-O0-optnone' get.o
    check "user's word about libstdc++'s checks" shows_not '-D_GLIBCXX_ASSERTIONS' -U_GLIBCXX_ASSERTIONS -c get.c
    check "delete had no size before C++14" shows_not '-fsized-deallocation' -std=gnu++11 -c virtual.cpp
    check "unused reads are announced" announces 'int x; void f(void) { int y = x; (void)y; }' __tsan_read4
    check "and unused writes" announces 'static int x; void f(void) { x = 1; }' __tsan_write4
    check "and copies to nowhere" announces \
        'struct s { int a[9]; } x; void f(void) { struct s y = x; (void)y; }' '__tsan_read_range|memcpy'
    check "adds the headers" shows "-I'?$root/include" -c get.c
    check "finds plumb/value.h" "$cc" -c -x c - -o x.o <<<'#include <plumb/value.h>'
    check "keeps warnings as errors possible" "$cc" -Wall -Wextra -Werror -c get.c -o get.o
}

link_only() {
    "$cc" -c main.c -o main.o
    check "links" "$cc" main.o get.o -o linked
    check "runs" ends_with 7 ./linked
    check "the runtime is found first" runtime_first linked
    check "ThreadSanitizer's runtime stays out" "$cc" -fsanitize=thread -Wl,--as-needed main.o get.o -lm -o linked
    check "it did" runtime_first linked
    check "links relocatable objects" "$cc" -r main.o get.o -o both.o
    check "and those" "$cc" both.o -o linked
    check "links shared libraries" "$cc" -shared -fPIC get.c -o libget.so
    check "and with them" "$cc" main.o -L. -lget -Wl,-rpath,"$work" -o linked
    check "runs with them" ends_with 7 ./linked
    check "the runtime is still first" runtime_first linked
    "$cc" -shared -fPIC count.c -o libcount.so
    check "links programs of fixed addresses" "$cc" -fno-pie -no-pie counts.c -L. -lcount -Wl,-rpath,"$work" -o linked
    check "a variable of a library is one variable" ends_with 5 ./linked
    if [ -x "$(command -v gcc)" ]; then check "objects and libraries are linked by gcc's driver" shows '(^|/)gcc .*-lplumb-rt' -g -O2 -Wall main.o -L. -lget -o linked; fi
    local option
    for option in --coverage -stdlib=libc++ -fuse-ld=bfd -Wl,--version-script=own.map -fopenmp -m64 @objects; do
        PLUMB_CC=clang check "$option is left to the compiler" shows_not '(^|/)gcc .*-lplumb-rt' main.o $option -o linked
    done
}

# Without a word of the user: clang, whose code is instrumented better, where it is installed.
default_compiler() {
    local usual=cc
    ! has_tool clang || usual=clang
    check "the compiler is $usual" bash -c "diff <(env -u PLUMB_CC '$cc' --version) <($usual --version)"
}

compile_and_link() {
    check "compiles and links" "$cc" main.c get.c -o program
    check "runs" ends_with 7 ./program
    check "is instrumented" instrumented program
    check "the runtime is found first" runtime_first program
    check "mixes objects and sources" "$cc" main.o get.c -o program
    check "takes names with spaces" "$cc" main.c "a folder/get.c" -o "a folder/a program"
    check "runs those" ends_with 8 "./a folder/a program"
    check "reads the standard input" bash -c "echo 'int get(void) { return 9; }' | '$cc' main.c -x c - -o program"
    check "runs that" ends_with 9 ./program
    check "-x ends with -x none" "$cc" -x c main.c -x none get.o -o program
    check "writes dependencies" "$cc" -MD -MF list.d main.c get.o -o program
    check "of the program" grep -q '^program: ' list.d
    rm -f ./*.d
    check "writes dependencies at their place" "$cc" -MMD main.c get.o -o program
    check "at the compiler's place" bash -c 'cat program*.d | grep -q three.h'
    check "the default name" "$cc" main.c get.c
    check "exists" test -x a.out
    check "stops at errors" ends_with 1 "$cc" main.c missing.c -o program
    check "link errors are errors" ends_with 1 "$cc" main.c -o program
}

# Each file is instrumented by itself; what is recorded says so where the user optimises.
link_time_optimisation() {
    check "compiles with -flto" "$cc" -O2 -flto=auto -ffat-lto-objects -c get.c -o get.o
    check "instruments that" instrumented get.o
    check "records that it was not done" records '-fno-lto' get.o
    check "links with -flto" "$cc" -O2 -flto main.c get.o -o program
    check "runs that" ends_with 7 ./program
    check "-fno-lto takes it back" "$cc" -flto -fno-lto -c get.c -o get.o
    check "and nothing is recorded" bash -c "! readelf -p .GCC.command.line get.o | grep -e -fno-lto"
}

cxx_programs() {
    check "compiles and links C++" "$cxx" virtual.cpp -o virtual
    check "runs it" ends_with 12 ./virtual
    check "the runtime is before libstdc++" runtime_first virtual
}

response_files() {
    printf '%s\n' '-c "a folder/get.c"' "-DTEXT='\"x y\"' -o from\\ file.o" >arguments
    check "takes a response file" "$cc" @arguments
    check "instruments what it names" instrumented "from file.o"
    printf 'main.o get.o' >objects
    check "passes one with objects on" shows ' @objects ' @objects -o program
    check "links them" "$cc" @objects -o program
    printf -- '@objects -static' >nested
    refuse "-static: the runtime needs dynamic linking" "$cc" @nested -o program
}

refusals() {
    refuse "error: -static: the runtime needs dynamic linking" "$cc" -static main.c get.c
    refuse "error: -static-pie: the runtime needs dynamic linking" "$cc" -static-pie main.c get.c
    refuse "-fmodules-ts: modules of C++20 are not supported" "$cxx" -std=c++20 -fmodules-ts -c virtual.cpp
    refuse "--precompile: modules of C++20 are not supported" "$cxx" -std=c++20 --precompile part.cppm -o part.pcm
    refuse "part.cppm: modules of C++20 are not supported" "$cxx" -std=c++20 -c part.cppm
    refuse "-fsanitize=address cannot be combined" "$cc" -fsanitize=thread,address -c main.c
    refuse "-fsanitize=memory cannot be combined" "$cc" -fsanitize=memory -c main.c
    refuse "would turn the instrumentation off" "$cc" -fno-sanitize=thread -c main.c
    refuse "64-bit programs only" "$cc" -m32 -c main.c
    refuse "plumb-cc: error: the runtime was not found" env PLUMB_LIB_DIR=/nowhere "$cc" main.o get.o
    refuse "plumb-c++: error: the runtime was not found" env PLUMB_LIB_DIR=/nowhere "$cxx" main.o get.o
    refuse "the compiler no-such-compiler was not found" env PLUMB_CC=no-such-compiler "$cc" -c main.c
    check "objects need no runtime" env PLUMB_LIB_DIR=/nowhere "$cc" -c main.c -o main.o
    check "--plumb-show needs none" env PLUMB_LIB_DIR=/nowhere "$cc" --plumb-show main.c get.c
    check "--plumb-show runs nothing" test ! -e shown
    check "--plumb-show shows the link" shows '-lplumb-rt .*0\.o .*-o shown .*-z,now' main.c get.c -o shown
    check "the link has no -fsanitize" bash -c "'$cc' --plumb-show main.c | tail -n 1 | grep -qv fsanitize"
}

questions() {
    check "--version is the compiler's" bash -c "diff <('$cc' --version) <($PLUMB_CC --version)"
    check "-dumpmachine is the compiler's" bash -c "diff <('$cc' -dumpmachine) <($PLUMB_CC -dumpmachine)"
    check "several words name a compiler" env PLUMB_CC="env $PLUMB_CC" "$cc" -c main.c -o main.o
}

# Programs see no sanitizer, and cannot ask to be spared.
hidden_sanitizer() {
    cat >unsanitized.c <<'END'
#if defined __SANITIZE_THREAD__
#error __SANITIZE_THREAD__
#endif
#if defined __has_feature
#if __has_feature(thread_sanitizer) || __has_feature(__thread_sanitizer__) || __has_feature(no_such) || !__has_feature(c_static_assert)
#error __has_feature
#endif
_Static_assert(!__has_feature(thread_sanitizer) && __has_feature(c_static_assert), "in code");
#endif
#if !__has_attribute(no_sanitize) || !__has_attribute(no_sanitize_thread)
#error __has_attribute
#endif
int shared;
#define FUNCTION(name, ...) __VA_ARGS__ void name(void) { shared++; }
FUNCTION(f1, __attribute__((no_sanitize("thread"))))
FUNCTION(f2, __attribute__((__no_sanitize__("undefined", "thread"), noinline)))
FUNCTION(f3, __attribute__((no_sanitize_thread)))
FUNCTION(f4, __attribute__((__no_sanitize_thread__)))
FUNCTION(f5, __attribute__((no_sanitize_address)))
#ifdef __clang__
FUNCTION(f6, [[clang::no_sanitize("address", "thread")]])
FUNCTION(f7, __attribute__((disable_sanitizer_instrumentation)))
#else
FUNCTION(f6, [[gnu::no_sanitize("address", "thread")]])
FUNCTION(f7, [[gnu::no_sanitize_thread]])
#endif
#define nosanitize no_sanitize("thread")
FUNCTION(f8, __attribute__((nosanitize)))
END
    check "no sanitizer is seen" "$cc" -std=gnu2x -S unsanitized.c -o unsanitized.s
    check "every function is instrumented" [ "$(grep -cE '(call|jmp|bl)[^#]*__tsan_func_entry' unsanitized.s)" = 8 ]
    check "C++ sees none" "$cxx" -x c++ -c - -o unsanitized.o <<<'#include <memory>
#ifdef __SANITIZE_THREAD__
#error __SANITIZE_THREAD__
#endif
#ifdef __has_feature
#if __has_feature(thread_sanitizer) || !__has_feature(cxx_rtti)
#error __has_feature
#endif
#endif'
}

# As installed, and through a symbolic link from elsewhere.
places() {
    mkdir -p prefix/bin prefix/lib prefix/include/plumb links
    cp -P "$cc" "$cxx" "$root"/build/bin/plumb-{as,instrument} prefix/bin/
    cp runtime/libplumb-rt.so prefix/lib/
    cp "$root"/include/plumb/value.h prefix/include/plumb/
    ln -sf "$work/prefix/bin/plumb-cc" links/plumb-cc
    local user
    for user in prefix/bin/plumb-cc links/plumb-cc; do
        check "$user" env -u PLUMB_LIB_DIR "$user" main.c get.c -o placed
        check "$user: its library" bash -c "readelf -d placed | grep -q '$work/prefix/lib'"
        check "$user: runs" ends_with 7 ./placed
    done
    check "found by PATH" env -u PLUMB_LIB_DIR PATH="$work/prefix/bin:$PATH" plumb-c++ virtual.cpp -o placed
}

build_systems() {
    mkdir -p project
    cp main.c get.c three.h project/
    cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(p C)
add_library(get STATIC get.c)
add_executable(p main.c)
target_link_libraries(p get)
END
    printf 'p: main.o get.o\n\t$(CC) $(CFLAGS) $^ -o $@\n' >project/Makefile
    if has_tool make 2; then
        check "make" make -C project CC="$cc" CFLAGS=-O2
        check "what it made" runtime_first project/p
    fi
    if has_tool cmake 4 && has_tool make 4; then
        check "cmake" cmake -G "Unix Makefiles" -S project -B built -DCMAKE_C_COMPILER="$cc"
        check "cmake's build" cmake --build built
        check "cmake's program" runtime_first built/p
        check "runs" ends_with 7 built/p
    fi
}

# Bitcode that is newer than plumb-instrument.
newer_clang() {
    has_tool clang || return 0
    clang -g -S -emit-llvm get.c -o - | sed 's/clang version [0-9]*/clang version 99/' >newer.ll
    clang -c -emit-llvm -x ir newer.ll -o newer.bc
    refuse "this was compiled by clang 99, and plumb-instrument was built with LLVM" "$root/build/bin/plumb-instrument" newer.bc -o newer.o
}

prepare
for pair in gcc:g++ clang:clang++; do
    has_tool "${pair%:*}" && has_tool "${pair#*:}" || continue
    export PLUMB_CC=${pair%:*} PLUMB_CXX=${pair#*:}
    compile_only
    link_only
    compile_and_link
    link_time_optimisation
    cxx_programs
    response_files
    refusals
    hidden_sanitizer
    questions
done
places
default_compiler
newer_clang
build_systems
check "no temporary files are left" bash -c "[ -z \"\$(ls -A '$TMPDIR')\" ]"
summary "checks" $checks $failures
[ $failures -eq 0 ]
