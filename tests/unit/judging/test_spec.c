/* SPDX-License-Identifier: Apache-2.0 */
/* Specifications: explicit sequences, and properties of all of them on random walks. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "history/jsonl.h"
#include "spec/aliases.h"
#include "spec/registry.h"

#include <stdlib.h>
#include <string.h>

/* A script is "name[@thread] [argument] [= result]; ...", values as JSON. */

struct script {
    struct history *h;
    const struct plumb_spec *spec;
    void *state;
};

static void script_add_line(struct text *lines, char *step, unsigned stamp)
{
    char *result = strstr(step, " = ");
    if (result) {
        *result = 0;
        result += 3;
    }
    char *name = step + strspn(step, " ");
    char *arg = strchr(name, ' ');
    if (arg)
        *arg++ = 0;
    char *thread = strchr(name, '@');
    if (thread)
        *thread++ = 0;
    text_printf(lines, "{\"thread\":%s,\"op\":\"%s\",\"call\":%u,\"return\":%u", thread ? thread : "1", name,
                2 * stamp, 2 * stamp + 1);
    if (arg && *arg)
        text_printf(lines, ",\"arg\":%s", arg);
    if (result)
        text_printf(lines, ",\"result\":%s", result);
    text_puts(lines, "}\n");
}

static struct history *script_read(const char *script)
{
    struct text lines = {0};
    char *copy = strdup(script), *rest = copy;
    unsigned stamp = 0;
    for (char *step; (step = strsep(&rest, ";"));)
        script_add_line(&lines, step, stamp++);
    struct history *h = history_create();
    struct diagnostic d = {0};
    if (!jsonl_read_memory(h, lines.data, lines.len, &d))
        fail_msg("%s: %s", script, d.message);
    free(copy);
    text_free(&lines);
    return h;
}

static struct script script_start(const char *spec, const char *initial, const char *text)
{
    struct script s = {script_read(text), spec_find(spec), NULL};
    assert_non_null(s.spec);
    const struct plumb_spec *specs[] = {s.spec};
    struct diagnostic d = {0};
    spec_extend_all(s.h, specs);
    s.spec = specs[0];
    if (!spec_bind(s.h, specs, &d))
        fail_msg("%s: %s", text, d.message);
    struct plumb_spec_options options = {s.h->values, PLUMB_OK};
    if (initial) {
        bool is_null = !strcmp(initial, "null");
        options.initial = is_null ? PLUMB_NONE : plumb_int(s.h->values, strtoll(initial, NULL, 10));
        assert_true(s.spec->valid_initial(s.h->values, options.initial));
    }
    s.state = spec_init(s.spec, &options);
    return s;
}

static bool script_step(struct script *s, size_t i)
{
    const struct history_op *op = history_at(s->h, i);
    plumb_value name = s->h->thread_names.data[op->thread];
    struct plumb_call call = {op->op, (uint32_t)plumb_int_of(s->h->values, name), op->arg, op->result};
    plumb_value result;
    return s->spec->step(s->state, &call, 0, &result);
}

static void script_end(struct script *s)
{
    s->spec->destroy(s->state);
    history_destroy(s->h);
}

/* Every step is legal, and the state looks like `expected` in the end. */
static void legal_from(const char *spec, const char *initial, const char *text, const char *expected)
{
    struct script s = script_start(spec, initial, text);
    for (size_t i = 0; i < s.h->ops.len; i++)
        if (!script_step(&s, i))
            fail_msg("%s: step %zu of '%s' has no outcome", spec, i + 1, text);
    char printed[256];
    size_t length = s.spec->print(s.state, printed, sizeof printed);
    assert_string_equal(printed, expected);
    assert_int_equal(length, strlen(printed));
    char cut[2];
    assert_int_equal(s.spec->print(s.state, cut, sizeof cut), length);
    assert_int_equal(cut[0], printed[0]);
    assert_int_equal(cut[1], 0);
    script_end(&s);
}

static void legal(const char *spec, const char *text, const char *expected)
{
    legal_from(spec, NULL, text, expected);
}

/* Every step but the last is legal; the last has no outcome and changes nothing. */
static void illegal_from(const char *spec, const char *initial, const char *text)
{
    struct script s = script_start(spec, initial, text);
    size_t last = s.h->ops.len - 1;
    for (size_t i = 0; i < last; i++)
        if (!script_step(&s, i))
            fail_msg("%s: step %zu of '%s' has no outcome", spec, i + 1, text);
    void *before = s.spec->clone(s.state);
    if (script_step(&s, last))
        fail_msg("%s: the last step of '%s' is possible", spec, text);
    assert_true(s.spec->equal(before, s.state));
    assert_true(s.spec->hash(before) == s.spec->hash(s.state));
    s.spec->destroy(before);
    script_end(&s);
}

static void illegal(const char *spec, const char *text)
{
    illegal_from(spec, NULL, text);
}

static void test_sequences(void **unused)
{
    (void)unused;
    legal("queue", "deq = null; enq 1; enq 2; peek = 1; deq = 1; enq 3", "[2, 3]");
    legal("queue", "enq 1; deq = {\"unknown\":true}; peek = null", "[]");
    legal("queue", "enq [1,2]; enq \"a\"", "[[1,2], \"a\"]");
    legal("queue",
          "enq 1; enq 2; enq 3; enq 4; enq 5; enq 6; enq 7; enq 8; enq 9; enq 10; enq 11; enq 12; "
          "enq 13; enq 14",
          "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, …, +2 more]");
    illegal("queue", "enq 1; enq 2; deq = 2");
    illegal("queue", "enq 1; deq = null");
    illegal("queue", "deq = 1");
    illegal("queue", "enq 1; peek = 2");
    legal("stack", "pop = null; push 1; push 2; peek = 2; pop = 2; push 3", "[1, 3]");
    legal("stack",
          "push 1; push 2; push 3; push 4; push 5; push 6; push 7; push 8; push 9; push 10; push 11; "
          "push 12; push 13",
          "[+1 more, …, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]");
    illegal("stack", "push 1; push 2; pop = 1");
    legal("deque",
          "push_front 1; push_front 2; push_back 3; pop_back = 3; pop_back = 1; pop_back = 2; "
          "pop_front = null",
          "[]");
    legal("deque", "push_front 1; push_front 2; push_back 3; push_back 4; push_front 5", "[5, 2, 1, 3, 4]");
    illegal("deque", "push_back 1; push_back 2; pop_front = 2");
}

static void test_priority_queue(void **unused)
{
    (void)unused;
    legal("pqueue", "insert 3; insert 1; insert 2; min = 1; delete_min = 1; delete_min = 2", "[3]");
    legal("pqueue", "insert [-5,\"a\"]; insert [-5,\"b\"]; insert 0; delete_min = \"b\"; min = \"a\"",
          "[-5:\"a\", 0]");
    legal("pqueue", "insert 4; insert [4,4]; delete_min = 4", "[4]");
    legal("pqueue", "insert 4; insert 4; insert 9", "[4 ×2, 9]");
    legal("pqueue", "delete_min = null; min = null", "[]");
    illegal("pqueue", "insert 1; insert 2; delete_min = 2");
    illegal("pqueue", "insert [1,7]; delete_min = 1");
    illegal("pqueue", "insert 1; min = null");
    legal("pqueue",
          "insert -9223372036854775808; insert 9223372036854775807; "
          "delete_min = -9223372036854775808",
          "[9223372036854775807]");
}

static void test_collections(void **unused)
{
    (void)unused;
    legal("set", "add 2 = true; add 1 = true; add 2 = false; contains 1 = true; remove 3 = false", "{1, 2}");
    illegal("set", "add 1 = true; remove 1 = true; contains 1 = true");
    illegal("set", "add 1 = false");
    legal("multiset", "add 1; add 1; add 2; count 1 = 2; remove 1 = true; count 3 = 0; remove 3 = false",
          "{1, 2}");
    legal("multiset", "add 1; add 1", "{1 ×2}");
    illegal("multiset", "add 1; remove 1 = true; remove 1 = true");
    illegal("multiset", "add 1; count 1 = 0");
    legal("bag", "add 1; add 2; add 3; take = 2; take = 1", "{3}");
    legal("bag", "take = null; add 1; add 1; take = 1; take = 1; take = null", "{}");
    illegal("bag", "add 1; take = null");
    illegal("bag", "add 1; take = 1; take = 1");
    legal("map", "get 1 = null; put [1,2]; get 1 = 2; put_if_absent [1,3] = false; put [1,4]", "{1: 4}");
    legal("map", "put_if_absent [\"k\",3] = true; remove \"k\" = true; remove \"k\" = false", "{}");
    illegal("map", "put [1,2]; get 1 = null");
    illegal("map", "put [1,2]; put_if_absent [1,2] = true");
    legal("kv", "get 1 = \"\"; put [1,\"a\"]; append [1,\"bc\"]; get 1 = \"abc\"; append [2,\"x\"]",
          "{1: \"abc\", 2: \"x\"}");
    legal("kv", "append [1,\"\"]; put [1,\"a\"]; put [1,\"\"]; get 1 = \"\"", "{}");
    illegal("kv", "put [1,\"ab\"]; append [1,\"c\"]; get 1 = \"ab\"");
    illegal("kv", "put [1,\"a\"]; append [1,\"b\"]; get 1 = \"ba\"");
}

static void test_cells(void **unused)
{
    (void)unused;
    legal("register", "read = 0; write 5; read = 5; cas [5,6] = true; cas [5,7] = false", "6");
    legal_from("register", "null", "read = null; cas [null,1] = true", "1");
    legal_from("register", "7", "read = 7", "7");
    illegal("register", "write 1; read = 0");
    illegal("register", "cas [0,1] = false");
    legal("counter", "get = 0; add 5; fetch_add -2 = 5; get = 3", "3");
    legal_from("counter", "-4", "fetch_add 0 = -4", "-4");
    illegal("counter", "fetch_add 1 = 1");
    illegal("counter", "add 9223372036854775807; add 1");
    illegal("counter", "add -9223372036854775808; fetch_add -1 = -9223372036854775808");
    legal("snapshot", "scan = []; scan = [0,0]; update [1,5]; scan = [0,5]; scan = [0,5,0]", "[0, 5]");
    legal_from("snapshot", "9", "scan = [9]; update [0,1]; update [0,9]; scan = [9]", "[9]");
    illegal("snapshot", "update [1,5]; scan = [0]");
    illegal("snapshot", "update [1,5]; scan = [5,5]");
    illegal("snapshot", "update [1,0]; scan = [0]");
    legal("snapshot", "update [4000000000000,1]; scan = {\"unknown\":true}",
          "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, …, +3999999999989 more]");
}

static void test_blocking(void **unused)
{
    (void)unused;
    legal("lock", "acquire@1; try_acquire@2 = false; release@1; try_acquire@2 = true", "held");
    legal("lock", "acquire; release", "free");
    illegal("lock", "acquire@1; acquire@2");
    illegal("lock", "acquire@1; acquire@1");
    illegal("lock", "acquire@1; release@2");
    illegal("lock", "try_acquire@1 = false");
    legal("rwlock",
          "read_lock@1; read_lock@2; try_write_lock@3 = false; read_unlock@1; read_unlock@2; "
          "write_lock@3",
          "being written");
    legal("rwlock", "read_lock@1; read_lock@1; read_lock@2", "3 reading");
    legal("rwlock",
          "try_write_lock@1 = true; try_read_lock@2 = false; write_unlock@1; try_read_lock@2 = true; "
          "read_unlock@2",
          "free");
    illegal("rwlock", "write_lock@1; read_lock@2");
    illegal("rwlock", "read_lock@1; write_lock@2");
    illegal("rwlock", "read_lock@1; read_unlock@2");
    illegal("rwlock", "read_lock@1; try_read_lock@2 = false");
    legal("semaphore", "release; try_acquire = true; try_acquire = false; release; acquire", "0");
    legal_from("semaphore", "2", "acquire; acquire", "0");
    illegal("semaphore", "acquire");
    illegal_from("semaphore", "9223372036854775807", "release");
    legal("event", "is_set = false; set; wait; is_set = true; set", "set");
    illegal("event", "set; reset; wait");
    legal("latch", "get = 1; count_down; count_down; wait; get = 0", "0");
    illegal_from("latch", "2", "count_down; wait");
    legal("barrier", "arrive@1 = 0; arrive@2 = 0; wait@1 0; arrive@1 = 1", "phase 1, 1 of 2 arrived");
    illegal("barrier", "arrive = 0; wait 0");
    illegal_from("barrier", "3", "arrive = 0; arrive = 0; arrive = 0; arrive = 0");
}

/* Binding. */

static void refuses(const char *spec, const char *text, int code, const char *message)
{
    struct history *h = script_read(text);
    const struct plumb_spec *specs[] = {spec_find(spec)};
    struct diagnostic d = {0};
    assert_false(spec_bind(h, specs, &d));
    assert_int_equal(d.code, code);
    assert_int_equal(d.line, h->ops.len);
    assert_int_equal(d.column, 1);
    assert_string_equal(d.message, message);
    history_destroy(h);
}

static void test_bind_errors(void **unused)
{
    (void)unused;
    refuses("queue", "enq 1; scan 2", PL_UNKNOWN_OPERATION,
            "queue has no operation 'scan'; it has enq, deq, peek, size, is_empty, items, clear, drain");
    refuses("queue", "deq", PL_BAD_ARGUMENT, "deq needs a result: a value, null, or {\"unknown\":true}");
    refuses("queue", "enq", PL_BAD_ARGUMENT, "enq needs the argument a value other than null");
    refuses("queue", "enq null", PL_BAD_ARGUMENT, "enq needs the argument a value other than null, not null");
    refuses("queue", "deq 1 = 1", PL_BAD_ARGUMENT, "deq takes no argument, not 1");
    refuses("queue", "enq 1 = false", PL_BAD_ARGUMENT,
            "enq cannot have the result false; it answers no result, true, or {\"unknown\":true}; if false "
            "means that it was full, with room for N, it is a queue(cap=N)");
    refuses("bag", "add 1 = false", PL_BAD_ARGUMENT,
            "add cannot have the result false; it answers no result, true, or {\"unknown\":true}");
    refuses("set", "add 1", PL_BAD_ARGUMENT, "add needs a result: true or false, or {\"unknown\":true}");
    refuses("map", "put [1]", PL_BAD_ARGUMENT,
            "put needs the argument [a value, a value other than null], not [1]");
    refuses("map", "put [1,2,3]", PL_BAD_ARGUMENT,
            "put needs the argument [a value, a value other than null], not [1,2,3]");
    refuses("pqueue", "insert [1,2]; insert [\"a\",2]", PL_BAD_ARGUMENT,
            "insert needs the argument an integer, or [integer, value] with a value other than null, "
            "not [\"a\",2]");
    refuses("pqueue", "insert \"a\"", PL_BAD_ARGUMENT,
            "insert needs the argument an integer, or [integer, value] with a value other than null, "
            "not \"a\"");
    refuses("kv", "get 1 = 2", PL_BAD_ARGUMENT,
            "get cannot have the result 2; it answers a string, or {\"unknown\":true}");
    refuses("snapshot", "update [-1,2]", PL_BAD_ARGUMENT,
            "update needs the argument [an integer >= 0, a value], not [-1,2]");
    refuses("snapshot", "scan = 3", PL_BAD_ARGUMENT,
            "scan cannot have the result 3; it answers an array, or {\"unknown\":true}");
}

static void test_bind_normalises(void **unused)
{
    (void)unused;
    struct history *h = script_read("enq 1 = null; deq null = null; enq [7]");
    const struct plumb_spec *specs[] = {spec_find("queue")};
    struct diagnostic d = {0};
    assert_true(spec_bind(h, specs, &d));
    assert_true(history_get(h, 0).result == PLUMB_OK);
    assert_true(history_get(h, 1).arg == PLUMB_OK && history_get(h, 1).result == PLUMB_NONE);
    assert_true(plumb_is_array(history_get(h, 2).arg));
    history_destroy(h);
}

static void test_bind_pending(void **unused)
{
    (void)unused;
    static const char line[] = "{\"thread\":1,\"op\":\"deq\",\"call\":1}\n";
    struct history *h = history_create();
    struct diagnostic d = {0};
    assert_true(jsonl_read_memory(h, line, sizeof line - 1, &d));
    const struct plumb_spec *specs[] = {spec_find("queue")};
    assert_true(spec_bind(h, specs, &d));
    history_destroy(h);
}

static void infers(const char *text, const char *expected)
{
    struct history *h = script_read(text);
    struct diagnostic d = {0};
    const struct plumb_spec *spec = NULL;
    if (!spec_infer_all(h, &spec, &d)) {
        assert_null(expected);
        assert_int_equal(d.code, PL_NO_SPEC);
    } else {
        assert_non_null(expected);
        assert_string_equal(spec->name, expected);
    }
    history_destroy(h);
}

static void test_infer(void **unused)
{
    (void)unused;
    infers("enq 1; deq = 1; peek = null", "queue");
    infers("push 1; peek = 1", "stack");
    infers("push_back 1; pop_front = 1", "deque");
    infers("insert 1; delete_min = 1", "pqueue");
    infers("add 1 = true; remove 1 = true; contains 1 = false", "set");
    infers("add 1; remove 1 = true", "multiset");
    infers("add 1; take = 1", "bag");
    infers("add 1; get = 1", "counter");
    infers("put [1,2]; get 1 = 2", "map");
    infers("put [1,\"a\"]; append [1,\"b\"]; get 1 = \"ab\"", "kv");
    infers("write 1; read = 1", "register");
    infers("update [0,1]; scan = [1]", "snapshot");
    infers("acquire; release", "lock");
    infers("read_lock; read_unlock", "rwlock");
    infers("set; wait", "event");
    infers("count_down; wait", "latch");
    infers("arrive = 0; wait 0", "barrier");
    infers("enq 1; pop = 1", NULL);
    infers("frobnicate", NULL);
    infers("enq 1; deq", "queue"); /* the names fit: binding tells what is missing */
}

static void test_infer_objects(void **unused)
{
    (void)unused;
    static const char lines[] =
        "{\"thread\":1,\"op\":\"enq\",\"arg\":1,\"call\":1,\"return\":2,\"object\":\"a\"}\n"
        "{\"thread\":1,\"op\":\"push\",\"arg\":1,\"call\":3,\"return\":4,\"object\":\"b\"}\n";
    struct history *h = history_create();
    struct diagnostic d = {0};
    assert_true(jsonl_read_memory(h, lines, sizeof lines - 1, &d));
    uint32_t a = history_object_of(h, 0), b = history_object_of(h, 1);
    const struct plumb_spec **specs = NEW_ZEROED(const struct plumb_spec *, h->object_names.len);
    assert_true(spec_infer_all(h, specs, &d));
    assert_ptr_equal(specs[a], spec_find("queue"));
    assert_ptr_equal(specs[b], spec_find("stack"));
    assert_true(spec_bind(h, specs, &d));
    free(specs);
    history_destroy(h);
}

static void test_registry(void **unused)
{
    (void)unused;
    assert_int_equal(spec_count, 19);
    assert_null(spec_find("heap"));
    assert_int_equal(spec_operation(spec_find("queue"), "peek"), 2);
    assert_int_equal(spec_operation(spec_find("queue"), "push"), UINT32_MAX);
    struct plumb_values *values = plumb_values_create();
    assert_false(spec_find("barrier")->valid_initial(values, plumb_int(values, 0)));
    assert_false(spec_find("latch")->valid_initial(values, plumb_int(values, -1)));
    assert_false(spec_find("counter")->valid_initial(values, PLUMB_NONE));
    assert_null(spec_find("queue")->valid_initial);
    const struct plumb_spec *lock = spec_find("lock");
    void *state = lock->init(&(struct plumb_spec_options){values, PLUMB_OK});
    struct plumb_call acquire = {spec_operation(lock, "acquire"), 1, PLUMB_OK, PLUMB_OK};
    assert_false(spec_blocks(lock, state, &acquire));
    assert_true(lock->step(state, &acquire, 0, &(plumb_value){0}));
    assert_true(spec_blocks(lock, state, &acquire));
    assert_true(spec_accepts(lock, state));
    lock->destroy(state);
    plumb_values_destroy(values);
}

static void test_find_from_a_value(void **unused)
{
    (void)unused;
    legal("semaphore(1)", "acquire; release; acquire", "0");
    illegal("semaphore(1)", "acquire; acquire");
    legal("register(null)", "read = null", "null");
    legal("register ( -7 )", "read = -7", "-7");
    assert_string_equal(spec_find("register ( -7 )")->name, "register(-7)");
    assert_ptr_equal(spec_find("register ( -7 )"), spec_find("register(-7)"));
    static const char *const wrong[] = {"semaphore(-1)",
                                        "semaphore()",
                                        "semaphore(",
                                        "semaphore(1",
                                        "semaphore(1)x",
                                        "semaphore(99999999999999999999)",
                                        "queue(1)",
                                        "queue(cap=0)",
                                        "queue(cap=)",
                                        "queue(cap=2, cap=2)",
                                        "queue(weak, weak)",
                                        "queue(weak, cap=2)",
                                        "queue(cap=2,)",
                                        "set(cap=2)",
                                        "set(weak)",
                                        "queue(recursive)",
                                        "lock(weak, recursive)",
                                        "lock(recursive, recursive)",
                                        "nothing(1)",
                                        "(1)",
                                        "",
                                        "semaphore(1)(1)",
                                        "counter(null)"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_null(spec_find(wrong[i]));
}

static void test_aliases(void **unused)
{
    (void)unused;
    legal("queue", "offer 1; enqueue 2; poll = 1; front = 2; try_pop = 2; take = null", "[]");
    legal("stack(cap=1)", "put 1 = true; top = 1; take = 1", "[]");
    legal("set", "insert 1 = true; erase 1 = true; find 1 = false", "{}");
    assert_int_equal(spec_operation_meant(spec_find("queue"), "que"), UINT32_MAX);
    assert_int_equal(spec_operation_meant(spec_find("queue"), ""), UINT32_MAX);
    assert_int_equal(spec_operation_meant(spec_find("deque"), "push"), UINT32_MAX);
    struct text meant = {0};
    assert_true(spec_alias_is_ambiguous(spec_find("deque"), "push", &meant));
    assert_string_equal(meant.data, "push_front or push_back");
    text_free(&meant);
}

static void test_everything_inside(void **unused)
{
    (void)unused;
    legal("queue", "is_empty = true; enq 1; enq 2; size = 2; items = [1,2]; drain = [1,2]; size = 0; enq 3",
          "[3]");
    legal("queue", "enq 1 = true; deq = 1", "[]");
    legal("bag", "add 1 = true; take = 1", "{}");
    illegal("queue", "enq 1; enq 2; drain = [2,1]");
    legal("stack", "push 1; push 2; items = [2,1]; pop_all = [2,1]; is_empty = true; drain = []", "[]");
    legal("deque",
          "push_back 1; push_front 2; peek_front = 2; back = 1; items = [2,1]; clear; peek_back = null",
          "[]");
    legal("pqueue", "insert [1,7]; insert [1,8]; insert 0; items = [7,0,8]; drain = [0,8,7]; insert 2",
          "[2]");
    illegal("pqueue", "insert 1; insert 0; drain = [1,0]");
    legal("set", "add 1 = true; add 2 = true; items = [2,1]; len = 2; clear; add 1 = true; drain = [1]",
          "{}");
    illegal("set", "add 1 = true; add 2 = true; items = [1,1]");
    illegal("set", "add 1 = true; items = [1,2]");
    legal("bag", "add 1; add 1; add 2; size = 3; items = [1,2,1]; drain = [2,1,1]", "{}");
    legal("map", "put [1,5]; put [2,6]; items = [[2,6],[1,5]]; remove 1 = true; drain = [[2,6]]", "{}");
    illegal("map", "put [1,5]; items = [[1,6]]");
    legal("queue(cap=1)", "enq 1 = true; size = 1; enq 2 = false; clear; enq 2 = true", "[2]");
    legal("deque(weak)", "push_back 1; peek_back = null; size = 1", "[1]");
    illegal("queue(weak)", "enq 1; is_empty = true");
    const struct plumb_spec *queue = spec_find("queue(cap=2, weak)"), *extended = spec_extended(queue);
    assert_ptr_equal(spec_basic(extended), queue);
    assert_ptr_equal(spec_extended(queue), extended);
    assert_null(spec_basic(queue));
    assert_null(spec_extended(extended));
    assert_null(spec_extended(spec_find("register")));
    assert_ptr_equal(spec_with_operation(queue, "enq"), queue);
    assert_ptr_equal(spec_with_operation(queue, "nothing"), queue);
}

static void test_transactions(void **unused)
{
    (void)unused;
    legal("multiregister",
          "txn [[\"w\",1,5],[\"r\",1,null],[\"r\",2,null]] = [[\"w\",1,5],[\"r\",1,5],[\"r\",2,null]]; read "
          "1 = 5; "
          "write [2,7]; txn [[\"w\",1,null]]; txn [[\"read\",2,null]] = [[\"read\",2,7]]; txn []",
          "{2: 7}");
    illegal("multiregister", "write [1,5]; txn [[\"w\",1,6],[\"r\",1,null]] = [[\"w\",1,6],[\"r\",1,5]]");
    illegal("multiregister", "txn [[\"r\",1,null]] = [[\"r\",1,0]]");
    legal_from("multiregister", "0",
               "read 9 = 0; write [9,0]; transaction [[\"~:r\",9,null]] = [[\"~:r\",9,0]]", "{}");
    refuses("multiregister", "txn [[\"append\",1,2]]", PL_BAD_ARGUMENT,
            "txn needs the argument [[\"r\", key, null], [\"w\", key, value], ...], not [[\"append\",1,2]]");
    refuses(
        "multiregister", "txn [[\"w\",1,2]] = [[\"w\",1,3]]", PL_BAD_ARGUMENT,
        "txn cannot have the result [[\"w\",1,3]]; it answers its argument with what it read, no result, or "
        "{\"unknown\":true}");
}

static void test_parameters(void **unused)
{
    (void)unused;
    legal("queue(cap=2)", "enq 1 = true; enq 2; enq 3 = false; deq = 1; enq 3 = true", "[2, 3]");
    illegal("queue(cap=2)", "enq 1 = true; enq 2 = true; enq 3 = true");
    illegal("queue(cap=2)", "enq 1 = true; enq 2 = true; enq 3");
    illegal("stack(cap=2)", "push 1 = true; push 2 = false");
    legal("stack(cap=1)", "push false = true; push 2 = false; pop = false; push 2 = true", "[2]");
    legal("deque(cap=1)", "push_front 1 = true; push_back 2 = false", "[1]");
    legal("queue(weak)", "enq 1; deq = null; peek = null; deq = 1; deq = null", "[]");
    illegal("queue(weak)", "enq 1; enq 2; deq = 2");
    illegal("queue(weak)", "enq 1; deq = 1; deq = 1");
    legal("queue(cap=3, weak)", "enq 1 = false; enq 2 = true; deq = null", "[2]");
    legal("register(5, weak)", "cas [5,6] = false; cas [5,6] = true; read = 6", "6");
    illegal("register(weak)", "cas [5,6] = true");
    legal("lock(weak)", "try_acquire = false; try_acquire = true; release", "free");
    legal("lock(recursive, weak)", "try_acquire = false; acquire; try_acquire = true; release", "held");
    legal("lock(recursive)", "acquire; acquire; release; release", "free");
    illegal("lock(recursive)", "acquire; acquire; release; release; release");
    illegal("lock(recursive)", "acquire; try_acquire = false");
    illegal("lock", "acquire; acquire");
    legal("rwlock", "read_lock; read_lock; read_unlock", "1 reading");
    legal("rwlock(recursive)", "read_lock; read_lock; read_unlock", "1 reading");
    assert_ptr_equal(spec_find("queue( cap=4 ,weak)"), spec_find("queue(cap=4, weak)"));
    assert_ptr_equal(spec_find("queue(cap = 4)"), spec_find("queue(cap=4)"));
    char *complaint = spec_find_complaint("queue(cap=0)");
    assert_string_equal(complaint,
                        "'cap=0' of the specification queue is not a capacity: that is a number from 1 "
                        "to 1000000");
    free(complaint);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sequences),
        cmocka_unit_test(test_priority_queue),
        cmocka_unit_test(test_collections),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_blocking),
        cmocka_unit_test(test_bind_errors),
        cmocka_unit_test(test_bind_normalises),
        cmocka_unit_test(test_bind_pending),
        cmocka_unit_test(test_infer),
        cmocka_unit_test(test_infer_objects),
        cmocka_unit_test(test_registry),
        cmocka_unit_test(test_find_from_a_value),
        cmocka_unit_test(test_everything_inside),
        cmocka_unit_test(test_transactions),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_aliases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
