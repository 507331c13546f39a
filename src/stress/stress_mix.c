/* SPDX-License-Identifier: Apache-2.0 */
/* How often operations are called: so that containers neither run empty nor grow forever, and nothing waits forever. */
#include "base/text.h"
#include "stress/stress_pairs.h"
#include "stress/stress_plan.h"

#include <stdlib.h>
#include <string.h>

enum { WEIGHT_MOST = 10000 };

/* What operations of a role have in common; divided among those that a harness has. Removals are a little more than additions. */
static uint32_t weight_of(const struct plumb_operation *o)
{
    static const uint32_t by_role[] = {
        [PLUMB_NO_ROLE] = 240, [PLUMB_ADDS] = 480,  [PLUMB_REMOVES] = 504,   [PLUMB_LOOKS] = 144,
        [PLUMB_WRITES] = 360,  [PLUMB_READS] = 240, [PLUMB_EXCHANGES] = 240, [PLUMB_COUNTS] = 360,
    };
    if (!o || (unsigned)o->role >= sizeof by_role / sizeof *by_role)
        return by_role[PLUMB_NO_ROLE];
    return o->reads && o->role == PLUMB_NO_ROLE ? by_role[PLUMB_LOOKS] : by_role[o->role];
}

static uint32_t count_alike(const struct stress_harness *h, const struct stress_operation *o)
{
    uint32_t count = 0;
    for (size_t k = 0; k < h->operations.len; k++) {
        const struct stress_operation *other = &h->operations.data[k];
        count += other->object == o->object && other->specified && o->specified &&
                 other->specified->role == o->specified->role;
    }
    return count && o->specified->role != PLUMB_NO_ROLE ? count : 1;
}

/* The operation of the harness that is the specification's `number`, on the same object. */
static uint32_t find_number(const struct stress_harness *h, const struct stress_operation *like,
                            const struct plumb_operation *wanted)
{
    for (uint32_t k = 0; k < h->operations.len; k++)
        if (h->operations.data[k].object == like->object && h->operations.data[k].specified == wanted)
            return k;
    return STRESS_NOTHING;
}

/* What may wait and is given back follows; what may wait and is not given back by its thread is left out. */
static void pair_up(uint32_t *weights, struct stress_plan *plan, struct stress_harness *h, uint32_t object,
                    const char *init, struct stress_notes *notes)
{
    const struct plumb_spec *spec = h->objects.data[object].spec;
    struct stress_pairs pairs;
    if (!spec)
        return;
    stress_pairs_find(&pairs, spec, init);
    for (uint32_t k = 0; k < h->operations.len; k++) {
        const struct stress_operation *o = &h->operations.data[k];
        size_t number = o->object == object ? (size_t)(o->specified - spec->operations) : STRESS_PAIRS_MAX;
        if (number >= STRESS_PAIRS_MAX)
            continue;
        uint32_t back = pairs.followed_by[number];
        uint32_t follower =
            back == STRESS_NO_PAIR ? STRESS_NOTHING : find_number(h, o, &spec->operations[back]);
        plan->operations[k].followed_by = (uint16_t)follower;
        bool stays = pairs.may_wait[number] && follower == STRESS_NOTHING;
        if (!pairs.follows[number] && !stays)
            continue;
        weights[k] = 0;
        if (stays && !pairs.follows[number])
            stress_note(notes, "%s is not called, because it may wait forever (--mix names it)",
                        stress_operation_name(h, k));
    }
}

/* ------------------------------------------------------------------ --mix */

static bool is_named(const struct plumb_part *p, const char *word, size_t length)
{
    size_t object = strlen(p->object);
    if (*p->object && length > object && !strncmp(word, p->object, object) && word[object] == '.')
        word += object + 1, length -= object + 1;
    return strlen(p->name) == length && !strncmp(word, p->name, length);
}

static bool fail_mix(struct diagnostic *d, const char *word, size_t length, const char *what)
{
    return diagnostic_set(d, PL_USAGE, 0, 0, "--mix: '%.*s' %s", (int)(length < 80 ? length : 80), word,
                          what);
}

/* One "enq=3". */
static bool read_weight(uint32_t *weights, const struct stress_harness *h, const char *word, size_t length,
                        struct diagnostic *d)
{
    const char *equals = memchr(word, '=', length);
    char *end;
    unsigned long weight = equals ? strtoul(equals + 1, &end, 10) : 0;
    if (!equals || end == equals + 1 || end != word + length || weight > WEIGHT_MOST)
        return fail_mix(d, word, length, "is not a name, =, and a number of at most 10000");
    bool found = false;
    for (size_t k = 0; k < h->operations.len; k++)
        if (is_named(h->operations.data[k].part, word, (size_t)(equals - word))) {
            weights[k] = (uint32_t)weight;
            found = true;
        }
    return found || fail_mix(d, word, (size_t)(equals - word), "is no operation of the harness");
}

static bool read_mix(uint32_t *weights, const struct stress_harness *h, const char *mix, struct diagnostic *d)
{
    memset(weights, 0, h->operations.len * sizeof *weights);
    for (const char *at = mix; *at;) {
        size_t length = strcspn(at, ", ");
        if (length && !read_weight(weights, h, at, length, d))
            return false;
        at += length + (at[length] != 0);
    }
    return true;
}

bool stress_mix_find(uint32_t *weights, struct stress_plan *plan, struct stress_harness *h,
                     const struct stress_wishes *wishes, struct stress_notes *notes, struct diagnostic *d)
{
    struct stress_notes unused = {0};
    for (uint32_t k = 0; k < h->operations.len; k++) {
        const struct stress_operation *o = &h->operations.data[k];
        weights[k] = weight_of(o->specified) / count_alike(h, o);
        plan->operations[k].followed_by = STRESS_NOTHING;
    }
    for (uint32_t object = 0; object < h->objects.len; object++)
        pair_up(weights, plan, h, object, wishes->init, wishes->mix ? &unused : notes);
    stress_notes_free(&unused);
    if (wishes->mix && !read_mix(weights, h, wishes->mix, d))
        return false;
    for (size_t k = 0; k < h->operations.len; k++)
        if (weights[k])
            return true;
    return diagnostic_set(d, wishes->mix ? PL_USAGE : PL_HARNESS, 0, 0,
                          "no operation is left that could be called%s",
                          wishes->mix ? ": --mix has no weight above 0" : "");
}
