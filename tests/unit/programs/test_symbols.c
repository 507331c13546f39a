/* SPDX-License-Identifier: Apache-2.0 */
/* Small programs are compiled in every way that matters; each prints addresses of its own and the names that they
 * should have. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target/symbols/symbols.h"

/* What a program prints: a letter, addresses, and after them the expected text. */
static const char reporting[] =
    "#ifndef _GNU_SOURCE\n"
    "#define _GNU_SOURCE\n"
    "#endif\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <link.h>\n"
    "#define NOINLINE __attribute__((noinline))\n"
    "#define LOC(expr, name) printf(\"L %lx %zu %s\\n\", (unsigned long)&(expr), sizeof(expr), name)\n"
    "#define VAL(expr, v, name) printf(\"V %lx %zu %lx %s\\n\", (unsigned long)&(expr), sizeof(expr), \\\n"
    "                                  (unsigned long)(v), name)\n"
    "static int base(struct dl_phdr_info *i, size_t n, void *u)\n"
    "{ (void)n; (void)u; printf(\"B %lx\\n\", (unsigned long)i->dlpi_addr); return 1; }\n"
    "NOINLINE static void here(const char *place)\n"
    "{ printf(\"P %lx %s\\n\", (unsigned long)__builtin_return_address(0), place); }\n"
    "NOINLINE static void *get(size_t n)\n"
    "{ void *p = malloc(n);\n"
    "  printf(\"H %lx %zu %lx\\n\", (unsigned long)p, n, (unsigned long)__builtin_return_address(0)); return "
    "p; }\n"
    "#define S2(x) #x\n"
    "#define S1(x) S2(x)\n"
    "#define HERE(rest) here(FILENAME \":\" S1(__LINE__) \" \" rest)\n";

static const char c_program[] =
    "#include \"reporting.h\"\n"
    "#include <stdatomic.h>\n"
    "#include <stdbool.h>\n"
    "#include <pthread.h>\n"
    "struct node { long value; _Atomic(struct node *) next; };\n"
    "typedef struct { int a; struct { short x, y; } grid[2][3]; char tail[]; } odd;\n"
    "enum state { IDLE, BUSY = 7 };\n"
    "struct queue { atomic_int head; _Atomic unsigned tail; struct node *first; union { long whole;\n"
    "  struct { int low, high; }; }; pthread_mutex_t lock; struct node sentinel; unsigned flags : 3; enum "
    "state state;\n"
    "  bool open; signed char small; };\n"
    "struct queue q; struct node slots[8]; static volatile int counter; odd strange;\n"
    "struct { struct node *head; unsigned long tag; } pair;\n"
    "void *volatile raw;\n"
    "static inline __attribute__((always_inline)) void inner(void) { HERE(\"inner outer main\"); counter++; "
    "}\n"
    "static inline __attribute__((always_inline)) void outer(void) { inner(); counter++; }\n"
    "NOINLINE static struct node *make(long v) {\n"
    "  struct node *n = get(sizeof *n); n->value = v; return n; }\n"
    "NOINLINE static void many(void) {\n"
    "  struct node *all = get(4 * sizeof *all); LOC(all[2].next, \"node#3[2].next\"); free(all); }\n"
    "NOINLINE static void open_ended(void) {\n"
    "  odd *o = get(sizeof *o + 9); LOC(o->tail[7], \"odd#1.tail[7]\"); LOC(o->a, \"odd#1.a\"); free(o); }\n"
    "NOINLINE static void bytes(void) { char *p = get(24); LOC(p[9], \"heap#1+9\"); free(p); }\n"
    "NOINLINE static void worker(void) { static int calls; LOC(calls, \"calls\"); counter += calls++; "
    "HERE(\"worker\"); }\n"
    "int main(void) {\n"
    "  dl_iterate_phdr(base, 0); worker(); outer(); HERE(\"main\");\n"
    "  LOC(q.head, \"q.head\"); LOC(q.tail, \"q.tail\"); LOC(slots[3].next, \"slots[3].next\");\n"
    "  LOC(counter, \"counter\"); LOC(q.sentinel.value, \"q.sentinel.value\"); LOC(q.whole, \"q.whole\");\n"
    "  LOC(q.low, \"q.low\"); LOC(q.high, \"q.high\"); LOC(q.lock, \"q.lock\"); LOC(slots[1], "
    "\"slots[1]\");\n"
    "  LOC(pair, \"pair\"); LOC(pair.tag, \"pair.tag\"); LOC(strange.grid[1][2].y, "
    "\"strange.grid[1][2].y\");\n"
    "  LOC(((char *)&q.head)[1], \"q.head+1\");\n"
    "  printf(\"L %lx 0 q.lock\\n\", (unsigned long)&q.lock);\n"
    "  VAL(strange.grid[0][1], 0x2ffff, \"{x -1, y 2}\");\n"
    "  VAL(q.head, -3, \"-3\"); VAL(q.tail, 4294967295u, \"4294967295\"); VAL(q.first, 0, \"NULL\");\n"
    "  VAL(q.first, &slots[2], \"&slots[2]\"); VAL(q.first, &slots[0], \"&slots[0]\"); VAL(q.state, BUSY, "
    "\"BUSY\");\n"
    "  VAL(q.state, 5, \"5\"); VAL(q.open, 1, \"true\"); VAL(q.small, -1, \"-1\"); VAL(q.first, 16, "
    "\"NULL + 16\");\n"
    "  VAL(raw, worker, \"worker\"); VAL(raw, &q, \"&q\"); VAL(pair.tag, 99999999, \"99999999\");\n"
    "  struct node *a = make(1), *b = make(2);\n"
    "  LOC(b->next, \"node#2.next\"); LOC(a->value, \"node#1.value\"); VAL(q.first, b, \"node#2\");\n"
    "  VAL(a->next, &b->next, \"&node#2.next\"); VAL(pair.tag, (char *)b + 1, \"node#2+1\"); VAL(a->value, "
    "-5, \"-5\");\n"
    "  many(); bytes(); open_ended(); free(a); free(b); return 0; }\n";

static const char cpp_program[] =
    "#include \"reporting.h\"\n"
    "#include <atomic>\n"
    "#include <mutex>\n"
    "namespace lib { struct link { long v; };\n"
    "template <class T> struct stack : link { std::atomic<T *> top; std::mutex lock; std::atomic<int> "
    "size{0};\n"
    "  NOINLINE void push() { HERE(\"lib::stack<lib::link>::push\"); size.fetch_add(1); }\n"
    "  static std::atomic<int> total; };\n"
    "template <class T> std::atomic<int> stack<T>::total;\n"
    "stack<link> s; }\n"
    "namespace { std::atomic<bool> flag; }\n"
    "int main() {\n"
    "  dl_iterate_phdr(base, 0); lib::s.push(); auto f = [](int x) NOINLINE { HERE(\"\"); return x; };\n"
    "  f(1); HERE(\"main\");\n"
    "  LOC(lib::s.top, \"lib::s.top\"); LOC(lib::s.size, \"lib::s.size\"); LOC(lib::s.lock, "
    "\"lib::s.lock\");\n"
    "  LOC(lib::s.v, \"lib::s.v\"); LOC(flag, \"flag\"); LOC(lib::s.total, "
    "\"lib::stack<lib::link>::total\");\n"
    "  VAL(lib::s.top, 0, \"NULL\"); VAL(lib::s.top, &lib::s, \"&lib::s\"); VAL(lib::s.size, -2, \"-2\");\n"
    "  VAL(flag, 1, \"true\"); flag = true;\n"
    "  auto n = static_cast<lib::link *>(get(sizeof(lib::link))); LOC(n->v, \"link#1.v\"); free(n); return "
    "0; }\n";

static char folder[] = "/tmp/plumb_symbols_XXXXXX";

static void write_file(const char *name, const char *content)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    assert_true(fputs(content, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static int make_folder(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    write_file("reporting.h", reporting);
    write_file("program.c", c_program);
    write_file("program.cc", cpp_program);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") | system(command);
}

static bool have(const char *compiler)
{
    char command[128];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", compiler);
    return system(command) == 0;
}

/* --- one program -------------------------------------------------------------------------------- */

struct check {
    struct symbols *s;
    const char *how; /* it was compiled */
    unsigned count;
};

static void expect(struct check *c, struct text *got, const char *expected)
{
    if (!got->data || strcmp(got->data, expected) != 0)
        fail_msg("%s: got \"%s\", expected \"%s\"", c->how, got->data ? got->data : "", expected);
    c->count++;
}

/* "FILE:LINE FUNCTION CALLER..."; without functions only the place is compared. */
static void check_place(struct check *c, uint64_t pc, const char *expected)
{
    struct symbol_place place;
    struct text got = {0};
    assert_true(symbols_line(c->s, pc, &place));
    text_printf(&got, "%s:%u ", place.at.file, place.at.line);
    const char *functions = strchr(expected, ' ') + 1;
    for (uint32_t i = 0; *functions && i < place.frame_count; i++)
        text_printf(&got, "%s%s", i ? " " : "", place.frames[i].function);
    expect(c, &got, expected);
    text_free(&got);
}

static void check_line(struct check *c, char *line)
{
    struct text got = {0};
    uint64_t address, value;
    size_t size;
    int at = 0;
    line[strcspn(line, "\n")] = 0;
    if (sscanf(line, "P %" SCNx64 " %n", &address, &at) == 1 && at) {
        check_place(c, address, line + at);
    } else if (sscanf(line, "H %" SCNx64 " %zu %" SCNx64, &address, &size, &value) == 3) {
        symbols_add_heap(c->s, address, size, &value, 1);
    } else if (sscanf(line, "L %" SCNx64 " %zu %n", &address, &size, &at) == 2 && at) {
        symbols_location(c->s, address, size, &got);
        expect(c, &got, line + at);
    } else if (sscanf(line, "V %" SCNx64 " %zu %" SCNx64 " %n", &address, &size, &value, &at) == 3 && at) {
        symbols_value(c->s, address, size, value, &got);
        expect(c, &got, line + at);
    } else {
        fail_msg("%s: strange line \"%s\"", c->how, line);
    }
    text_free(&got);
}

static struct symbols *open_program(uint64_t base, const char *name, struct diagnostic *d)
{
    struct worker_module modules[2] = {{.base = base}, {.base = 0, .path = "linux-vdso.so.1"}};
    snprintf(modules[0].path, sizeof modules[0].path, "%s/%s", folder, name);
    *d = (struct diagnostic){0};
    return symbols_open(modules, 2, d);
}

static FILE *start_program(uint64_t *base)
{
    FILE *f = popen("./program", "r");
    assert_non_null(f);
    char line[512];
    assert_non_null(fgets(line, sizeof line, f));
    /* A constructor or main itself may have printed the base only after other lines: it is the first by design. */
    assert_int_equal(sscanf(line, "B %" SCNx64, base), 1);
    return f;
}

static void compile(const char *how)
{
    char command[512];
    snprintf(command, sizeof command, "%s -w -pthread -o program ", how);
    if (system(command) != 0)
        fail_msg("cannot compile: %s", command);
}

static void check_program(const char *how, unsigned least)
{
    char line[512];
    uint64_t base;
    struct diagnostic d;
    compile(how);
    FILE *f = start_program(&base);
    struct check c = {open_program(base, "program", &d), how, 0};
    assert_int_equal(d.code, 0);
    while (fgets(line, sizeof line, f))
        check_line(&c, line);
    assert_int_equal(pclose(f), 0);
    assert_true(c.count >= least);
    symbols_close(c.s);
}

static void check_all(const char *compiler, const char *file, unsigned least)
{
    static const char *const options[] = {
        "-g -O0",
        "-g -O1 -fPIE -pie",
        "-g -O2 -fno-optimize-sibling-calls -fno-pie -no-pie",
        "-g -gdwarf-4 -O1 -fno-pie -no-pie",
        "-g -O1 -gz",
        "-g -O1 -ffunction-sections -Wl,--gc-sections",
    };
    if (!have(compiler))
        return;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char how[256];
        snprintf(how, sizeof how, "%s %s -DFILENAME='\"%s\"' %s", compiler, options[i], file, file);
        check_program(how, least);
    }
}

static void test_c(void **state)
{
    (void)state;
    check_all("gcc", "program.c", 38);
    check_all("clang", "program.c", 38);
}

static void test_cpp(void **state)
{
    (void)state;
    check_all("g++", "program.cc", 12);
    check_all("clang++", "program.cc", 12);
}

/* --- without debug information ------------------------------------------------------------------ */

/* The first place and the first location that the program prints, as they are named. */
static void name_first(const char *how, struct text *place, struct text *location)
{
    char line[512];
    uint64_t base, address;
    struct diagnostic d;
    compile(how);
    FILE *f = start_program(&base);
    struct symbols *s = open_program(base, "program", &d);
    while (fgets(line, sizeof line, f)) {
        if (!place->len && sscanf(line, "P %" SCNx64, &address) == 1)
            symbols_add_place(s, address, place);
        if (strstr(line, " q.tail") && sscanf(line, "L %" SCNx64, &address) == 1)
            symbols_location(s, address, 4, location);
    }
    pclose(f);
    symbols_close(s);
}

static void test_missing_information(void **state)
{
    (void)state;
    struct text place = {0}, location = {0};
    name_first("cc -DFILENAME='\"\"' -O0 program.c", &place, &location);
    assert_string_equal(place.data, "worker");
    assert_string_equal(location.data, "q+4");
    text_clear(&place);
    text_clear(&location);
    name_first("cc -DFILENAME='\"\"' -O1 -s program.c", &place, &location);
    assert_int_equal(strncmp(place.data, "program+0x", 10), 0);
    assert_int_equal(strncmp(location.data, "program+0x", 10), 0);
    text_free(&place);
    text_free(&location);
}

static void test_missing_file(void **state)
{
    (void)state;
    struct diagnostic d;
    struct text out = {0};
    struct symbol_place place;
    struct symbols *s = open_program(0x1000, "nothing", &d);
    assert_int_equal(d.code, PL_CANNOT_OPEN);
    assert_false(symbols_line(s, 0x1234, &place));
    assert_false(symbols_line(s, 0, &place));
    symbols_add_place(s, 0x1235, &out);
    symbols_location(s, 0x10, 8, &out);
    symbols_value(s, 0x10, 4, UINT32_MAX, &out);
    symbols_value(s, 0x10, 8, 0x123456789a, &out);
    assert_string_equal(out.data, "0x12340x10-10x123456789a");
    text_free(&out);
    symbols_close(s);
    s = symbols_open(NULL, 0, &d);
    assert_false(symbols_line(s, 0x1234, &place));
    symbols_close(s);
}

/* --- memory ------------------------------------------------------------------------------------- */

static void expect_location(struct symbols *s, uint64_t address, uint64_t size, const char *expected)
{
    struct text out = {0};
    symbols_location(s, address, size, &out);
    assert_string_equal(out.data, expected);
    text_free(&out);
}

static void test_memory(void **state)
{
    (void)state;
    struct diagnostic d;
    struct symbols *s = symbols_open(NULL, 0, &d);
    symbols_add_heap(s, 0x1000, 16, NULL, 0);
    symbols_add_heap(s, 0x1010, 16, NULL, 0);
    expect_location(s, 0x1000, 8, "heap#1");
    expect_location(s, 0x1008, 8, "heap#1+8");
    expect_location(s, 0x1010, 8, "heap#2");
    expect_location(s, 0x1020, 8, "0x1020");
    symbols_add_heap(s, 0x1008, 8, NULL, 0);
    expect_location(s, 0x1008, 8, "heap#3");
    expect_location(s, 0x1000, 8, "0x1000");
    expect_location(s, 0x1018, 8, "heap#2+8");
    symbols_forget_memory(s);
    expect_location(s, 0x1018, 8, "0x1018");
    symbols_add_heap(s, UINT64_MAX - 4, 16, NULL, 0);
    symbols_add_heap(s, 0x2000, 0, NULL, 0);
    expect_location(s, 0x2000, 1, "heap#2");
    symbols_close(s);
}

/* --- this program ------------------------------------------------------------------------------- */

static struct {
    int first;
    struct {
        long left, right;
    } inside[4];
} own_variable;

static int find_own_base(struct dl_phdr_info *info, size_t size, void *base)
{
    (void)size;
    *(uint64_t *)base = info->dlpi_addr;
    return 1;
}

/* Sanitizers and optimisation make no difference to names. */
static void test_own_names(void **state)
{
    (void)state;
    struct worker_module module = {0};
    struct diagnostic d = {0};
    dl_iterate_phdr(find_own_base, &module.base);
    assert_true(readlink("/proc/self/exe", module.path, sizeof module.path - 1) > 0);
    struct symbols *s = symbols_open(&module, 1, &d);
    own_variable.inside[2].right = 1;
    struct symbol_place place;
    if (symbols_line(s, (uint64_t)(uintptr_t)&test_own_names + 1, &place)) {
        expect_location(s, (uint64_t)(uintptr_t)&own_variable.inside[2].right, 8,
                        "own_variable.inside[2].right");
        assert_string_equal(place.at.function, "test_own_names");
        assert_non_null(strstr(place.at.file, "test_symbols.c"));
    }
    symbols_close(s);
}

/* --- broken files ------------------------------------------------------------------------------- */

static uint64_t random_state = 1;

static uint64_t pick(uint64_t below)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % below;
}

static char *read_program(size_t *size)
{
    FILE *f = fopen("program", "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

static void ask_everything(struct symbols *s, uint64_t from, uint64_t size)
{
    struct text out = {0};
    for (int i = 0; i < 300; i++) {
        uint64_t address = from + pick(size);
        struct symbol_place place;
        symbols_line(s, address, &place);
        symbols_add_heap(s, 0x10000000 + pick(100), pick(64), &address, 1);
        symbols_location(s, address, pick(17), &out);
        symbols_value(s, address, 8, from + pick(size), &out);
        symbols_location(s, 0x10000000 + pick(100), 8, &out);
        text_clear(&out);
    }
    text_free(&out);
}

/* Bytes behind the first half, where the debug information is, are changed at random; or the file is cut short. */
static void test_broken_files(void **state)
{
    (void)state;
    compile("cc -g -O1 -fno-pie -no-pie -DFILENAME='\"\"' program.c");
    size_t size;
    char *bytes = read_program(&size);
    for (int round = 0; round < 60; round++) {
        char *broken = malloc(size);
        assert_non_null(broken);
        memcpy(broken, bytes, size);
        for (uint64_t n = 1 + pick(40); n > 0; n--)
            broken[size / 3 + pick(size - size / 3)] = (char)pick(256);
        FILE *f = fopen("broken", "wb");
        assert_non_null(f);
        fwrite(broken, 1, round % 8 ? size : pick(size), f);
        fclose(f);
        free(broken);
        struct diagnostic d;
        struct symbols *s = open_program(0, "broken", &d);
        ask_everything(s, 0x401000, 0x800);  /* code */
        ask_everything(s, 0x403000, 0x2000); /* data */
        ask_everything(s, 0, UINT64_MAX >> 32);
        symbols_close(s);
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_names),    cmocka_unit_test(test_c),
        cmocka_unit_test(test_cpp),          cmocka_unit_test(test_missing_information),
        cmocka_unit_test(test_missing_file), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_broken_files),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
