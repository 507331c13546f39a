/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/serial/serial.h"

#include <string.h>

static struct {
    const struct serials *serials;
    VEC(uint32_t) threads; /* of serials, by the history's numbers */
    VEC(struct plumb_operation) operations;
} derived;

struct place {
    uint32_t node;
};

static void *derived_init(const struct plumb_spec_options *options)
{
    (void)options;
    struct place *p = NEW(struct place);
    *p = (struct place){SERIAL_ROOT};
    return p;
}

static void *derived_clone(const void *state)
{
    struct place *p = NEW(struct place);
    *p = *(const struct place *)state;
    return p;
}

static uint64_t derived_hash(const void *state)
{
    return hash_word(((const struct place *)state)->node);
}

static bool derived_equal(const void *a, const void *b)
{
    return ((const struct place *)a)->node == ((const struct place *)b)->node;
}

static uint32_t thread_of(const struct plumb_call *call)
{
    return call->thread < derived.threads.len ? derived.threads.data[call->thread] : SERIAL_NO_THREAD;
}

static bool derived_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct place *p = state;
    uint32_t to = serials_follow(derived.serials, p->node, thread_of(call), call->result, choice, result);
    if (to == SERIAL_NOWHERE)
        return false;
    p->node = to;
    return true;
}

static bool derived_blocks(const void *state, const struct plumb_call *call)
{
    uint32_t thread = thread_of(call);
    const struct place *p = state;
    return thread != SERIAL_NO_THREAD && derived.serials->nodes.data[p->node].waits >> thread & 1;
}

static size_t derived_print(const void *state, char *buffer, size_t size)
{
    (void)state; /* no more is known than what was answered so far */
    if (size)
        *buffer = 0;
    return 0;
}

static struct plumb_spec specification = {
    .name = SPEC_DERIVED_NAME,
    .kind = PLUMB_KIND_DERIVED,
    .summary = "what the test's operations answer one after the other",
    .init = derived_init,
    .destroy = free,
    .clone = derived_clone,
    .hash = derived_hash,
    .equal = derived_equal,
    .step = derived_step,
    .blocks = derived_blocks,
    .print = derived_print,
    .thread_matters = true,
};

static void add_operation(const struct plumb_values *values, const struct serial_op *op)
{
    static const char *const args[] = {"", "v", "vv", "vvv"};
    for (size_t i = 0; i < derived.operations.len; i++)
        if (strcmp(derived.operations.data[i].name, op->name) == 0)
            return;
    size_t count = op->arg == PLUMB_OK ? 0 : plumb_is_array(op->arg) ? plumb_array_count(values, op->arg) : 1;
    vec_push(&derived.operations, ((struct plumb_operation){op->name, args[count < 3 ? count : 3], "vNbisak",
                                                            false, PLUMB_NO_ROLE, NULL}));
}

const struct plumb_spec *spec_derived(const struct serials *s, struct history *h)
{
    derived.serials = s;
    vec_clear(&derived.threads);
    vec_clear(&derived.operations);
    for (size_t i = 0; i < h->thread_names.len; i++) {
        plumb_value name = h->thread_names.data[i];
        vec_push(&derived.threads, plumb_is_int(name) ? serials_find_thread(s, plumb_int_of(h->values, name))
                                                      : SERIAL_NO_THREAD);
    }
    for (size_t t = 0; t < s->threads.len; t++)
        for (size_t i = 0; i < s->threads.data[t].ops.len; i++)
            add_operation(s->values, &s->threads.data[t].ops.data[i]);
    /* A file knows only the operations that some serial history gets to. */
    for (size_t i = 0; i < h->ops.len; i++) {
        const struct history_op *op = history_at(h, i);
        add_operation(h->values, &(struct serial_op){h->op_names.data[op->op], op->arg});
    }
    specification.operations = derived.operations.data;
    specification.operation_count = (uint32_t)derived.operations.len;
    return &specification;
}
