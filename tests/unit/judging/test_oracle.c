/* SPDX-License-Identifier: Apache-2.0 */
/* The oracle and the random histories are compiled into this test: they are no part of the product. */
#include "oracle/oracle.c"
#include "oracle/oracle_specs.c"
#include "oracle/random_history.c"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* ---- a short notation: "1 enq(1) 1-3; 2 deq=null 3-4; 3 cas([0,1])=* 2-?" ----
 * thread, operation, argument, result (* unknown, none: plain ok), call, return (? pending). A name
 * after a dot is the object: "1 enq.b(1) 1-3". */

struct reader {
    const char *p;
    struct history *h;
};

static plumb_value read_value(struct reader *r);

static plumb_value read_array(struct reader *r)
{
    plumb_value items[4];
    size_t count = 0;
    for (r->p++; *r->p != ']'; r->p += *r->p == ',')
        items[count++] = read_value(r);
    r->p++;
    return plumb_array(r->h->values, items, count);
}

static plumb_value read_string(struct reader *r)
{
    const char *start = ++r->p;
    r->p = strchr(start, '\'');
    assert_non_null(r->p);
    return plumb_string(r->h->values, start, (size_t)(r->p++ - start));
}

static plumb_value read_value(struct reader *r)
{
    static const struct {
        const char *text;
        plumb_value value;
    } constants[] = {{"null", PLUMB_NONE}, {"T", PLUMB_TRUE}, {"F", PLUMB_FALSE}, {"*", PLUMB_ANY}};
    for (size_t i = 0; i < 4; i++)
        if (strncmp(r->p, constants[i].text, strlen(constants[i].text)) == 0) {
            r->p += strlen(constants[i].text);
            return constants[i].value;
        }
    if (*r->p == '[')
        return read_array(r);
    if (*r->p == '\'')
        return read_string(r);
    char *end;
    int64_t i = strtoll(r->p, &end, 10);
    assert_ptr_not_equal(end, r->p);
    r->p = end;
    return plumb_int(r->h->values, i);
}

static bool read_char(struct reader *r, char c)
{
    bool there = *r->p == c;
    r->p += there;
    return there;
}

static size_t name_length(const char *p)
{
    size_t n = 0;
    while (isalpha((unsigned char)p[n]) || p[n] == '_')
        n++;
    return n;
}

static void read_operation(struct reader *r)
{
    struct history_op op = {.arg = PLUMB_OK, .result = PLUMB_OK};
    uint32_t object = 0;
    op.thread = history_thread(r->h, read_value(r));
    read_char(r, ' ');
    size_t n = name_length(r->p);
    op.op = history_op_name(r->h, r->p, n);
    r->p += n;
    if (read_char(r, '.')) {
        n = name_length(r->p);
        object = history_object(r->h, plumb_string(r->h->values, r->p, n));
        r->p += n;
    }
    if (read_char(r, '(')) {
        op.arg = read_value(r);
        assert_true(read_char(r, ')'));
    }
    if (read_char(r, '='))
        op.result = read_value(r);
    assert_true(read_char(r, ' '));
    op.call = strtoll(r->p, (char **)&r->p, 10);
    assert_true(read_char(r, '-'));
    op.pending = read_char(r, '?');
    if (op.pending)
        op.result = PLUMB_ANY;
    else
        op.ret = strtoll(r->p, (char **)&r->p, 10);
    history_add(r->h, op, object);
}

static struct history *read_history(const char *text)
{
    struct reader r = {.p = text, .h = history_create()};
    while (*r.p) {
        read_operation(&r);
        while (*r.p == ';' || *r.p == ' ')
            r.p++;
    }
    return r.h;
}

/* `initial`: in the notation of values, or null. */
static bool judge_from(const char *spec, const char *initial, const char *text)
{
    struct history *h = read_history(text);
    struct reader r = {.p = initial, .h = h};
    struct oracle o;
    assert_non_null(oracle_find_spec(spec));
    assert_true(oracle_prepare(&o, h, oracle_find_spec(spec), initial ? read_value(&r) : PLUMB_OK));
    bool linearizable = oracle_linearizable(&o, ORACLE_ALL);
    history_destroy(h);
    return linearizable;
}

static void yes(const char *spec, const char *text)
{
    if (!judge_from(spec, NULL, text))
        fail_msg("%s should be linearizable: %s", spec, text);
}

static void no(const char *spec, const char *text)
{
    if (judge_from(spec, NULL, text))
        fail_msg("%s should not be linearizable: %s", spec, text);
}

/* ---- real time and program order ---- */

static void test_time(void **unused)
{
    (void)unused;
    yes("queue", "1 enq(1) 1-3; 2 deq=null 3-4"); /* equal stamps overlap */
    no("queue", "1 enq(1) 1-3; 1 deq=null 3-4");  /* except inside one thread */
    no("queue", "1 enq(1) 1-2; 2 deq=null 3-4");
    no("queue", "1 deq=1 3-3; 1 enq(1) 3-4"); /* same call: the shorter is first */
    yes("queue", "1 deq=1 3-4; 1 enq(1) 3-3");
    no("queue", "1 deq=1 3-3; 1 enq(1) 3-3"); /* all equal: the order of the lines */
    yes("queue", "1 enq(1) 3-3; 1 deq=1 3-3");
    yes("queue", "1 enq(1) -9-9; 2 deq=1 -4--3");
    /* Two ties at one stamp that no order of events can express: x before y, z before w, nothing else. */
    no("register", "1 write(1) 1-3; 1 read=2 3-5; 2 write(2) 2-3; 2 read=1 3-4");
    no("set", "1 add(1)=F 1-3; 1 add(2)=T 3-5; 2 add(2)=F 2-3; 2 add(1)=T 3-4");
    yes("set", "1 add(1)=F 1-3; 3 add(2)=T 3-5; 2 add(2)=F 2-3; 2 add(1)=T 3-4");
}

static void test_pending(void **unused)
{
    (void)unused;
    yes("queue", "1 enq(1) 1-?; 2 deq=1 5-6");
    yes("queue", "1 enq(1) 1-?; 2 deq=null 5-6");
    no("queue", "1 enq(1) 7-?; 2 deq=1 5-6");
    yes("queue", "1 enq(1) 1-2; 2 deq 3-?; 3 deq=null 4-5");
    no("queue", "1 enq(1) 1-2; 2 deq 6-?; 3 deq=null 4-5");
    no("queue", "1 enq(1) 1-?; 2 deq=1 5-6; 2 deq=1 7-8");
    yes("queue", "1 enq(1) 1-2; 2 deq=* 3-4; 3 deq=null 5-6");
    no("queue", "1 enq(1) 1-2; 2 deq=* 3-4; 3 deq=1 5-6");
}

static void test_objects(void **unused)
{
    (void)unused;
    yes("queue", "1 enq.a(1) 1-2; 1 deq.b=null 3-4; 1 deq.a=1 5-6");
    no("queue", "1 enq.a(1) 1-2; 1 deq.b=1 3-4");
    /* Objects are judged one by one, even when ties make the whole cyclic. */
    yes("register", "1 read.a=1 1-3; 1 write.b(2) 3-5; 2 read.b=2 2-3; 2 write.a(1) 3-4");
}

static void test_members(void **unused)
{
    (void)unused;
    struct history *h = read_history("1 enq(1) 1-2; 2 enq(2) 3-4; 3 deq=2 5-6; 3 deq=1 7-8");
    struct oracle o;
    assert_true(oracle_prepare(&o, h, oracle_find_spec("queue"), PLUMB_OK));
    assert_false(oracle_linearizable(&o, ORACLE_ALL));
    assert_false(oracle_linearizable(&o, 0x7));
    assert_true(oracle_linearizable(&o, 0x6));
    assert_true(oracle_linearizable(&o, 0x9));
    assert_true(oracle_linearizable(&o, 0));
    history_destroy(h);
}

static void test_allows(void **unused)
{
    (void)unused;
    struct history *h = read_history("1 enq(1) 1-2; 2 enq(2) 3-4; 3 deq=2 5-6; 3 deq=1 7-8");
    struct oracle o;
    assert_true(oracle_prepare(&o, h, oracle_find_spec("queue"), PLUMB_OK));
    assert_true(oracle_allows(&o, ORACLE_ALL, (uint32_t[]){0, 1}, 2));
    assert_false(oracle_allows(&o, ORACLE_ALL, (uint32_t[]){1, 0}, 2));    /* real time */
    assert_false(oracle_allows(&o, ORACLE_ALL, (uint32_t[]){0, 1, 2}, 3)); /* wrong answer */
    assert_false(oracle_allows(&o, ORACLE_ALL, (uint32_t[]){1}, 1));       /* 0 is missing */
    assert_true(oracle_allows(&o, 0x6, (uint32_t[]){1, 2}, 2));
    assert_false(oracle_allows(&o, 0x6, (uint32_t[]){0}, 1)); /* not a member */
    assert_false(oracle_allows(&o, 0x6, (uint32_t[]){1, 1}, 2));
    history_destroy(h);
}

/* ---- every specification ---- */

static void test_queue(void **unused)
{
    (void)unused;
    yes("queue", "1 deq=2 1-10; 2 enq(1) 3-16; 3 deq=1 6-7; 4 enq(2) 9-15");
    yes("queue", "1 enq(1) 1-2; 1 enq(2) 3-4; 1 peek=1 5-6; 1 deq=1 7-8; 1 deq=2 9-10; 1 deq=null 11-12");
    yes("queue", "1 enq(1) 1-4; 2 enq(2) 2-3; 1 deq=2 5-6; 2 deq=1 7-8");
    no("queue", "1 enq(2) 1-2; 2 deq=null 3-4");
    no("queue", "1 enq(1) 1-2; 1 enq(2) 3-4; 2 deq=2 5-6; 2 deq=1 7-8");
    no("queue", "1 enq(1) 1-2; 2 deq=1 3-4; 2 peek=1 5-6");
    no("queue", "1 enq(1) 1-2; 2 deq=1 3-4; 2 deq=1 5-6");
}

static void test_stack(void **unused)
{
    (void)unused;
    yes("stack", "1 push(1) 1-2; 1 push(2) 3-4; 1 peek=2 5-6; 1 pop=2 7-8; 1 pop=1 9-10; 1 pop=null 11-12");
    yes("stack", "1 push(1) 1-4; 2 push(2) 2-3; 1 pop=1 5-6; 2 pop=2 7-8");
    yes("stack", "1 push(1) 1-9; 2 peek=null 2-3; 2 pop=1 4-5");
    no("stack", "1 push(1) 1-2; 1 push(2) 3-4; 1 pop=1 5-6");
    no("stack", "1 push(1) 1-2; 1 push(2) 3-4; 1 peek=1 5-6; 1 pop=2 7-8");
    no("stack", "1 push(1) 1-2; 2 pop=null 3-4");
}

static void test_deque(void **unused)
{
    (void)unused;
    yes("deque", "1 push_front(1) 1-2; 1 push_front(2) 3-4; 1 pop_back=1 5-6; 1 pop_front=2 7-8");
    yes("deque", "1 push_back(1) 1-2; 1 push_back(2) 3-4; 1 pop_front=1 5-6; 1 pop_front=2 7-8");
    yes("deque", "1 pop_back=null 1-4; 2 push_front(1) 2-3; 1 pop_back=1 5-6");
    no("deque", "1 push_front(1) 1-2; 1 push_front(2) 3-4; 1 pop_back=2 5-6");
    no("deque", "1 push_back(1) 1-2; 1 push_back(2) 3-4; 1 pop_back=1 5-6");
    no("deque", "1 push_back(1) 1-2; 1 push_front(2) 3-4; 1 pop_front=1 5-6");
    no("deque", "1 push_back(1) 1-2; 2 pop_front=null 3-4");
}

static void test_pqueue(void **unused)
{
    (void)unused;
    yes("pqueue", "1 insert(5) 1-2; 1 insert(3) 3-4; 1 min=3 5-6; 1 delete_min=3 7-8; 1 delete_min=5 9-10");
    yes("pqueue", "1 insert([1,'a']) 1-2; 1 insert([1,'b']) 3-4; 1 delete_min='b' 5-6; 1 delete_min='a' 7-8");
    yes("pqueue", "1 insert([1,9]) 1-2; 1 insert(2) 3-4; 1 min=9 5-6; 1 delete_min=9 7-8; "
                  "1 delete_min=2 9-10");
    yes("pqueue", "1 delete_min=null 1-2; 1 min=null 3-4");
    no("pqueue", "1 insert(5) 1-2; 1 insert(3) 3-4; 1 delete_min=5 5-6");
    no("pqueue", "1 insert([1,9]) 1-2; 1 insert(2) 3-4; 1 delete_min=2 5-6");
    no("pqueue", "1 insert([1,'a']) 1-2; 1 insert([2,'b']) 3-4; 1 min='b' 5-6");
    no("pqueue", "1 insert(5) 1-2; 2 delete_min=null 3-4");
}

static void test_set(void **unused)
{
    (void)unused;
    yes("set", "1 add(1)=T 1-2; 1 add(1)=F 3-4; 1 contains(1)=T 5-6; 1 remove(1)=T 7-8; 1 remove(1)=F 9-10");
    yes("set", "1 contains(1)=F 1-2; 1 add(2)=T 3-4; 1 contains(1)=F 5-6");
    yes("set", "1 add(1)=T 1-9; 2 contains(1)=F 2-3; 2 contains(1)=T 4-5");
    no("set", "1 add(1)=T 1-10; 2 contains(1)=T 2-3; 3 add(1)=T 4-5; 4 remove(1)=T 6-7");
    no("set", "1 add(1)=T 1-9; 2 contains(1)=T 2-3; 2 contains(1)=F 4-5");
    no("set", "1 add(1)=F 1-2");
    no("set", "1 add(1)=T 1-4; 2 add(1)=T 2-3");
}

static void test_multiset(void **unused)
{
    (void)unused;
    yes("multiset", "1 add(1) 1-2; 1 add(1) 3-4; 1 count(1)=2 5-6; 1 remove(1)=T 7-8; 1 count(1)=1 9-10");
    yes("multiset", "1 remove(1)=F 1-4; 2 add(1) 2-3; 2 count(2)=0 5-6");
    yes("multiset", "1 add(1) 1-9; 2 count(1)=0 2-3; 2 count(1)=1 4-5");
    no("multiset", "1 add(1) 1-2; 1 remove(1)=T 3-4; 1 remove(1)=T 5-6");
    no("multiset", "1 add(1) 1-2; 1 remove(1)=F 3-4");
    no("multiset", "1 add(1) 1-2; 1 add(2) 3-4; 1 count(1)=2 5-6");
}

static void test_bag(void **unused)
{
    (void)unused;
    yes("bag", "1 add(1) 1-2; 1 add(2) 3-4; 1 take=2 5-6; 1 take=1 7-8; 1 take=null 9-10");
    yes("bag", "1 add(1) 1-2; 1 add(2) 3-4; 1 add(3) 5-6; 1 take=2 7-8; 1 take=3 9-10; 1 take=1 11-12");
    yes("bag", "1 take=1 1-4; 2 add(1) 2-3");
    no("bag", "1 add(1) 1-2; 1 take=1 3-4; 1 take=1 5-6");
    no("bag", "1 add(1) 1-2; 2 take=null 3-4");
    no("bag", "1 take=1 1-2; 2 add(1) 3-4");
}

static void test_map(void **unused)
{
    (void)unused;
    yes("map", "1 put([1,5]) 1-2; 1 get(1)=5 3-4; 1 get(2)=null 5-6; 1 remove(1)=T 7-8; 1 get(1)=null 9-10");
    yes("map", "1 put_if_absent([1,5])=T 1-2; 1 put_if_absent([1,6])=F 3-4; 1 get(1)=5 5-6");
    yes("map", "1 put([1,5]) 1-4; 2 put([1,6]) 2-3; 1 get(1)=5 5-6");
    no("map", "1 put([1,5]) 1-2; 1 put([1,6]) 3-4; 1 get(1)=5 5-6");
    no("map", "1 put([1,5]) 1-2; 1 put_if_absent([1,6])=T 3-4");
    no("map", "1 remove(1)=T 1-2; 1 put([1,5]) 3-4");
    no("map", "1 put([1,5]) 1-2; 1 get(2)=5 3-4");
}

static void test_kv(void **unused)
{
    (void)unused;
    yes("kv", "1 get(1)='' 1-2; 1 append([1,'a']) 3-4; 1 append([1,'b']) 5-6; 1 get(1)='ab' 7-8");
    yes("kv", "1 put([1,'x']) 1-2; 1 append([1,'y']) 3-4; 1 put([2,'z']) 5-6; 1 get(1)='xy' 7-8");
    yes("kv", "1 append([1,'a']) 1-4; 2 append([1,'b']) 2-3; 1 get(1)='ba' 5-6");
    no("kv", "1 append([1,'a']) 1-2; 2 append([1,'b']) 3-4; 1 get(1)='ba' 5-6");
    no("kv", "1 append([1,'a']) 1-2; 1 put([1,'b']) 3-4; 1 get(1)='ab' 5-6");
    no("kv", "1 put([1,'a']) 1-2; 1 get(1)='' 3-4");
}

static void test_register(void **unused)
{
    (void)unused;
    yes("register", "1 read=0 1-2; 1 write(1) 3-4; 1 read=1 5-6; 1 cas([1,2])=T 7-8; 1 read=2 9-10");
    yes("register", "1 write(1) 1-4; 2 write(2) 2-3; 1 read=1 5-6");
    yes("register", "1 cas([0,1])=T 1-4; 2 cas([0,2])=F 2-3; 1 read=1 5-6");
    no("register", "1 write(1) 1-2; 1 read=0 3-4");
    no("register", "1 cas([0,1])=T 1-4; 2 cas([0,2])=T 2-3");
    no("register", "1 write(1) 1-9; 2 read=1 2-3; 2 read=0 4-5");
    assert_true(judge_from("register", "7", "1 read=7 1-2; 1 cas([7,8])=T 3-4"));
    assert_true(judge_from("register", "null", "1 read=null 1-2"));
    assert_false(judge_from("register", "7", "1 read=0 1-2"));
}

static void test_counter(void **unused)
{
    (void)unused;
    yes("counter", "1 add(2) 1-2; 1 get=2 3-4; 1 fetch_add(3)=2 5-6; 1 get=5 7-8");
    yes("counter", "1 add(1) 1-9; 2 get=0 2-3; 2 get=1 4-5");
    yes("counter", "1 add(-1) 1-4; 2 fetch_add(5)=0 2-3; 1 get=4 5-6");
    assert_true(judge_from("counter", "4", "1 add(2) 1-2; 1 get=6 3-4"));
    assert_false(judge_from("counter", "9223372036854775807", "1 add(1) 1-2"));
    no("counter", "1 add(2) 1-2; 1 get=1 3-4");
    no("counter", "1 fetch_add(1)=0 1-2; 2 fetch_add(1)=0 3-4");
    no("counter", "1 add(1) 1-9; 2 get=1 2-3; 2 get=0 4-5");
}

static void test_snapshot(void **unused)
{
    (void)unused;
    yes("snapshot", "1 scan=[0,0] 1-2; 1 update([1,5]) 3-4; 1 scan=[0,5] 5-6; 1 scan=[0,5,0] 7-8");
    yes("snapshot", "1 scan=[] 1-2; 1 update([0,5]) 3-4; 1 scan=[5] 5-6");
    yes("snapshot", "1 update([0,5]) 1-4; 2 update([1,6]) 2-5; 3 scan=[0,6] 3-6");
    assert_true(judge_from("snapshot", "null", "1 update([1,5]) 1-2; 1 scan=[null,5] 3-4"));
    no("snapshot", "1 update([1,5]) 1-2; 1 scan=[0] 3-4");
    no("snapshot", "1 update([0,5]) 1-2; 1 scan=[0,0] 3-4");
    no("snapshot", "1 update([0,5]) 1-9; 2 update([1,6]) 2-9; 3 scan=[5,0] 3-8; 4 scan=[0,6] 3-8");
    no("snapshot", "1 update([0,5]) 1-2; 1 scan=[] 3-4");
}

static void test_lock(void **unused)
{
    (void)unused;
    yes("lock", "1 acquire 1-2; 1 release 3-4; 2 acquire 5-6; 1 try_acquire=F 7-8");
    yes("lock", "1 try_acquire=T 1-2; 2 acquire 3-6; 1 release 4-5");
    yes("lock", "1 acquire 1-2; 2 acquire 3-?; 3 try_acquire=F 4-5");
    no("lock", "1 acquire 1-2; 2 acquire 3-4");
    no("lock", "1 acquire 1-2; 2 release 3-4");
    no("lock", "1 acquire 1-2; 1 acquire 3-4");
    no("lock", "1 try_acquire=F 1-2");
    no("lock", "1 acquire 1-2; 2 try_acquire=T 3-4");
}

static void test_rwlock(void **unused)
{
    (void)unused;
    yes("rwlock", "1 read_lock 1-2; 2 read_lock 3-4; 3 try_write_lock=F 5-6; 1 read_unlock 7-8; "
                  "2 read_unlock 9-10");
    yes("rwlock", "1 read_lock 1-2; 1 try_read_lock=T 3-4; 1 read_unlock 5-6; 1 read_unlock 7-8; "
                  "2 write_lock 9-10");
    yes("rwlock", "1 write_lock 1-2; 2 try_read_lock=F 3-4; 2 read_lock 5-8; 1 write_unlock 6-7");
    no("rwlock", "1 read_lock 1-2; 2 write_lock 3-4");
    no("rwlock", "1 write_lock 1-2; 2 read_lock 3-4");
    no("rwlock", "1 read_lock 1-2; 2 read_unlock 3-4");
    no("rwlock", "1 read_lock 1-2; 1 read_unlock 3-4; 1 read_unlock 5-6");
    no("rwlock", "1 write_lock 1-2; 2 write_unlock 3-4");
    no("rwlock", "1 read_lock 1-2; 1 read_lock 3-4; 1 read_unlock 5-6; 2 try_write_lock=T 7-8");
}

static void test_semaphore(void **unused)
{
    (void)unused;
    yes("semaphore", "1 release 1-2; 2 acquire 3-4; 2 try_acquire=F 5-6");
    yes("semaphore", "1 acquire 1-4; 2 release 2-3");
    assert_true(judge_from("semaphore", "2", "1 acquire 1-2; 2 try_acquire=T 3-4; 3 try_acquire=F 5-6"));
    no("semaphore", "1 acquire 1-2; 2 release 3-4");
    no("semaphore", "1 release 1-2; 1 acquire 3-4; 1 acquire 5-6");
    no("semaphore", "1 try_acquire=T 1-2");
    assert_false(judge_from("semaphore", "1", "1 try_acquire=F 1-2"));
}

static void test_event(void **unused)
{
    (void)unused;
    yes("event", "1 is_set=F 1-2; 1 set 3-4; 2 wait 5-6; 1 is_set=T 7-8; 1 reset 9-10; 1 is_set=F 11-12");
    yes("event", "1 wait 1-4; 2 set 2-3; 2 reset 5-6");
    yes("event", "1 wait 1-?; 2 is_set=F 2-3");
    no("event", "1 wait 1-2; 2 set 3-4");
    no("event", "1 set 1-2; 1 reset 3-4; 2 wait 5-6");
    no("event", "1 set 1-2; 1 is_set=F 3-4");
}

static void test_latch(void **unused)
{
    (void)unused;
    yes("latch", "1 get=1 1-2; 1 count_down 3-4; 2 wait 5-6; 2 count_down 7-8; 2 get=0 9-10");
    yes("latch", "1 wait 1-4; 2 count_down 2-3");
    assert_true(judge_from("latch", "2", "1 count_down 1-2; 1 get=1 3-4; 1 count_down 5-6; 1 wait 7-8"));
    no("latch", "1 wait 1-2; 2 count_down 3-4");
    no("latch", "1 count_down 1-2; 1 get=1 3-4");
    assert_false(judge_from("latch", "2", "1 count_down 1-2; 1 wait 3-4"));
}

static void test_barrier(void **unused)
{
    (void)unused;
    yes("barrier", "1 arrive=0 1-2; 2 arrive=0 3-4; 1 wait(0) 5-6; 1 arrive=1 7-8");
    yes("barrier", "1 arrive=0 1-2; 1 wait(0) 3-6; 2 arrive=0 4-5");
    assert_true(judge_from("barrier", "1", "1 arrive=0 1-2; 1 wait(0) 3-4; 1 arrive=1 5-6"));
    no("barrier", "1 arrive=0 1-2; 1 wait(0) 3-4");
    no("barrier", "1 arrive=1 1-2; 2 arrive=0 3-4");
    no("barrier", "1 arrive=0 1-2; 2 arrive=0 3-4; 1 wait(1) 5-6");
    assert_false(judge_from("barrier", "3", "1 arrive=0 1-2; 2 arrive=0 3-4; 1 wait(0) 5-6"));
}

/* ---- random histories ---- */

static void assert_thread_is_sequential(const struct history *h, size_t i)
{
    const struct history_op *a = history_at(h, i);
    assert_true(a->pending ? a->result == PLUMB_ANY : a->call <= a->ret);
    for (size_t j = 0; j < h->ops.len; j++) {
        const struct history_op *b = history_at(h, j);
        if (a->thread == b->thread && comes_first(a, b, i < j))
            assert_true(!a->pending && a->ret <= b->call);
    }
}

static void test_random_histories(void **unused)
{
    (void)unused;
    for (unsigned s = 0; s < oracle_spec_count; s++) {
        unsigned linearizable = 0, count = 2000;
        for (unsigned seed = 0; seed < count; seed++) {
            struct history *h = history_create();
            struct oracle o;
            plumb_value initial = random_history(h, &oracle_specs[s], seed * 0x9e3779b97f4a7c15u);
            for (size_t i = 0; i < h->ops.len; i++)
                assert_thread_is_sequential(h, i);
            assert_true(oracle_prepare(&o, h, &oracle_specs[s], initial));
            linearizable += oracle_linearizable(&o, ORACLE_ALL);
            history_destroy(h);
        }
        if (linearizable * 100 < count * 30 || linearizable * 100 > count * (oracle_specs[s].weak ? 90 : 80))
            fail_msg("%s: %u of %u random histories are linearizable", oracle_specs[s].name, linearizable,
                     count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time),      cmocka_unit_test(test_pending),
        cmocka_unit_test(test_objects),   cmocka_unit_test(test_members),
        cmocka_unit_test(test_queue),     cmocka_unit_test(test_stack),
        cmocka_unit_test(test_deque),     cmocka_unit_test(test_pqueue),
        cmocka_unit_test(test_set),       cmocka_unit_test(test_multiset),
        cmocka_unit_test(test_bag),       cmocka_unit_test(test_map),
        cmocka_unit_test(test_kv),        cmocka_unit_test(test_register),
        cmocka_unit_test(test_counter),   cmocka_unit_test(test_snapshot),
        cmocka_unit_test(test_lock),      cmocka_unit_test(test_rwlock),
        cmocka_unit_test(test_semaphore), cmocka_unit_test(test_event),
        cmocka_unit_test(test_latch),     cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_allows),    cmocka_unit_test(test_random_histories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
