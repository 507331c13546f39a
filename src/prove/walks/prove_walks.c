/* SPDX-License-Identifier: Apache-2.0 */
/* The assumption of --shift, tried by walks with counters that are further. */
#include "prove/prove_counters.h"
#include "prove/prove_system.h"
#include "prove/walks/prove_walk.h"

enum {
    WALKS = 6,       /* with different schedules */
    STEPS_EACH = 30, /* about so many for a counter to grow by one */
    BEFORE = 4,      /* a walk begins so far before a number that may matter */
    MULTIPLES = 14,  /* of the step, that are tried one by one */
    LARGE_STEP = 8,  /* walks are long there: half as many */
};

static unsigned steps_of_walk(void)
{
    unsigned wanted = WALK_STEPS + STEPS_EACH * prove_counters_step();
    return wanted < WALK_STEPS_MOST ? wanted : WALK_STEPS_MOST;
}

static unsigned walk_count(void)
{
    return prove_counters_step() > LARGE_STEP ? WALKS / 2 : WALKS;
}

/* The walks with counters that far on are those of before. */
static bool agrees(const struct prove_form *start, const struct walk *before, uint64_t further)
{
    static struct walk now;
    struct walk_disguise d = {.further = further, .n = 1};
    for (unsigned i = 0; i < walk_count(); i++) {
        prove_walk(start, i, &d, steps_of_walk(), &now);
        if (!prove_walk_is_same(&now, &before[i]))
            return false;
    }
    return true;
}

/* The last multiple of the step from which a walk comes to the number. */
static uint64_t before_number(uint64_t number)
{
    return number > BEFORE ? (number - BEFORE) / prove_counters_step() * prove_counters_step() : 0;
}

static bool agrees_at_number(const struct prove_form *start, const struct walk *before, uint64_t number,
                             uint64_t *at)
{
    *at = before_number(number);
    return !*at || *at > prove_counters_most() || agrees(start, before, *at);
}

/* Small multiples, for what is taken modulo other numbers; where types of 8, 16, 32 bits end; numbers of the program's code. */
static bool agrees_everywhere(const struct prove_form *start, const struct walk *before, uint64_t *at)
{
    const struct prove_question *q = &prove.shared->question;
    enum { BITS = 62 };
    for (unsigned i = 1; i <= MULTIPLES; i++)
        if (!agrees(start, before, *at = i * prove_counters_step()))
            return false;
    if (!agrees(start, before, *at = prove_counters_far()))
        return false;
    for (uint32_t i = 0; i < q->constant_count; i++)
        if (!agrees_at_number(start, before, q->constants[i], at))
            return false;
    for (unsigned bit = 3; bit < BITS; bit++)
        if (!agrees_at_number(start, before, UINT64_C(1) << bit, at))
            return false;
    return true;
}

bool prove_walks_agree(const struct prove_form *start)
{
    static struct walk before[WALKS];
    uint64_t at = 0;
    struct walk_disguise none = {.n = 1};
    for (unsigned i = 0; i < walk_count(); i++)
        prove_walk(start, i, &none, steps_of_walk(), &before[i]);
    bool fine = agrees_everywhere(start, before, &at);
    if (!fine)
        prove_note(PROVE_UNSURE,
                   "more than differences of counters matter, up to multiples of %u: with all of them %llu "
                   "further, a run is another one",
                   (unsigned)prove_counters_step(), (unsigned long long)at);
    prove_form_read(start, &prove_dialects[0]);
    return fine;
}
