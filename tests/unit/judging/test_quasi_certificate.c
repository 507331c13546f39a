/* SPDX-License-Identifier: Apache-2.0 */
/* The certificate checker of quasi linearizability refuses what the definition refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "monitor/quasi/quasi_certificate.h"
#include "spec/registry.h"

#include <stdlib.h>
#include <string.h>

enum { ENQ, DEQ, OPS = 8 };

/* A queue's history in one thread: adds are positive, removals negative, 0 is an empty answer. */
struct claim {
    struct history *h;
    struct plumb_call p[OPS];
    uint32_t order[OPS], q[OPS];
    struct quasi_factor factor;
    struct quasi_certificate c;
};

static struct plumb_call call_of(int x)
{
    return (struct plumb_call){.op = x > 0 ? ENQ : DEQ,
                               .arg = x > 0 ? plumb_int(NULL, x) : PLUMB_OK,
                               .result = x > 0   ? PLUMB_OK
                                         : x < 0 ? plumb_int(NULL, -x)
                                                 : PLUMB_NONE};
}

static void open_claim(struct claim *x, const int *ops, size_t operations, size_t length, const char *factor)
{
    memset(x, 0, sizeof *x);
    x->h = history_create();
    history_thread(x->h, plumb_int(NULL, 1));
    for (uint32_t k = 0; k < length; k++) {
        x->p[k] = call_of(ops[k]);
        x->order[k] = x->q[k] = k;
        if (k < operations)
            history_add(x->h,
                        (struct history_op){.call = 2 * k,
                                            .ret = 2 * k + 1,
                                            .arg = x->p[k].arg,
                                            .result = x->p[k].result,
                                            .op = (uint16_t)x->p[k].op},
                        0);
    }
    quasi_factor_read(&x->factor, factor, spec_find("queue"));
    x->c = (struct quasi_certificate){
        .history = x->h, .order = x->order, .p = x->p, .q = x->q, .operations = operations, .length = length};
}

/* Decides, and frees the claim. */
static const char *check(struct claim *x)
{
    struct plumb_spec_options options = {.values = x->h->values, .initial = PLUMB_OK};
    const char *wrong = quasi_certificate_check(&x->c, spec_find("queue"), &options, &x->factor);
    free(x->factor.class_of);
    history_destroy(x->h);
    return wrong;
}

static void swap(struct claim *x, uint32_t a, uint32_t b)
{
    uint32_t t = x->q[a];
    x->q[a] = x->q[b], x->q[b] = t;
}

static void near_sequences_are_accepted(void **unused)
{
    (void)unused;
    struct claim x;
    open_claim(&x, (int[]){1, 2, -2, -1}, 4, 4, "deq=1");
    swap(&x, 2, 3);
    assert_null(check(&x));
    open_claim(&x, (int[]){1, 2, -2, -1}, 3, 4, "deq=1"); /* the last one is appended */
    swap(&x, 2, 3);
    assert_null(check(&x));
}

static void far_sequences_are_refused(void **unused)
{
    (void)unused;
    struct claim x;
    open_claim(&x, (int[]){1, 2, 3, -3, -2, -1}, 6, 6, "deq=1");
    swap(&x, 3, 5);
    assert_string_equal(check(&x), "something moves too far");
    open_claim(&x, (int[]){1, 2, 3, -3, -2, -1}, 6, 6, "deq=2");
    swap(&x, 3, 5);
    assert_null(check(&x));
    open_claim(&x, (int[]){2, 1, -1, -2}, 4, 4, "deq=1");
    swap(&x, 0, 1);
    assert_string_equal(check(&x), "something moves that may not");
    open_claim(&x, (int[]){1, 2, -2, 3, -1}, 5, 5, "deq=1,enq=1");
    swap(&x, 2, 3);
    assert_string_equal(check(&x), "p and q have different classes at one position");
}

static void illegal_sequences_are_refused(void **unused)
{
    (void)unused;
    struct claim x;
    open_claim(&x, (int[]){1, 2, -2, -1}, 4, 4, "deq=1");
    assert_string_equal(check(&x), "the specification does not allow q");
    open_claim(&x, (int[]){1, 2, -1, -2}, 4, 4, "deq=1");
    x.q[3] = 2;
    assert_string_equal(check(&x), "q is not a permutation of p");
}

static void only_removals_are_appended(void **unused)
{
    (void)unused;
    struct claim x;
    open_claim(&x, (int[]){1, -1, 2}, 2, 3, "deq=1,enq=1");
    assert_string_equal(check(&x), "something is appended that removes nothing");
    open_claim(&x, (int[]){1, -1, 0}, 2, 3, "deq+deq/empty=1");
    assert_string_equal(check(&x), "something is appended that removes nothing");
    open_claim(&x, (int[]){1, -1}, 1, 2, "enq=1"); /* deq is not relaxed */
    assert_string_equal(check(&x), "something is appended that removes nothing");
    open_claim(&x, (int[]){1, -1}, 1, 2, "deq=1");
    x.c.complete = true;
    assert_string_equal(check(&x), "something is appended to a complete history");
}

static void p_is_the_history(void **unused)
{
    (void)unused;
    struct claim x;
    open_claim(&x, (int[]){1, -1}, 2, 2, "deq=1");
    x.p[1].result = plumb_int(NULL, 2);
    assert_string_equal(check(&x), "p is not the history");
    open_claim(&x, (int[]){1, -1}, 2, 2, "deq=1");
    history_change(x.h, 1)->pending = 1;
    assert_null(check(&x));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_sequences_are_accepted),
        cmocka_unit_test(far_sequences_are_refused),
        cmocka_unit_test(illegal_sequences_are_refused),
        cmocka_unit_test(only_removals_are_appended),
        cmocka_unit_test(p_is_the_history),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
