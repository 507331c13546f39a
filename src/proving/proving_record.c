/* SPDX-License-Identifier: Apache-2.0 */
#include "proving/proving_record.h"

enum { VERSION = 1, ARGUMENTS = 3 };

/* --- writing ------------------------------------------------------------------------------------------------------------- */

static void put(record_numbers *out, int64_t number)
{
    vec_push(out, number);
}

static void put_question(const struct prove_shared *s, record_numbers *out)
{
    const struct prove_question *q = &s->question;
    put(out, VERSION);
    put(out, q->threads);
    put(out, q->inside);
    put(out, q->free_values);
    put(out, q->tso);
    put(out, q->no_liveness != 0);
    put(out, s->reason);
    put(out, q->forget_count);
    for (uint32_t i = 0; i < q->forget_count; i++) {
        put(out, (int64_t)q->forgets[i].address);
        put(out, q->forgets[i].size);
    }
}

/* The length of the run of equal marks that begins there. */
static uint32_t run_of(const uint8_t *marks, uint32_t at)
{
    uint32_t end = at;
    while (end < PROVE_WORDS_MAX && !marks[end] == !marks[at])
        end++;
    return end - at;
}

/* Runs of words, by turns not written and written. */
static void put_written(const struct prove_shared *s, record_numbers *out)
{
    size_t length_at = out->len;
    put(out, 0);
    if (s->uses[0])
        put(out, 0);
    for (uint32_t at = 0; at < PROVE_WORDS_MAX;) {
        uint32_t run = run_of(s->uses, at);
        put(out, run);
        at += run;
    }
    out->data[length_at] = (int64_t)(out->len - length_at - 1);
}

static void put_event(const struct prove_event *e, record_numbers *out)
{
    put(out, e->kind);
    put(out, e->thread);
    put(out, e->op);
    if (e->kind == PROVE_RETURN_EVENT) {
        put(out, e->number);
        put(out, e->value);
    } else if (e->kind == PROVE_CALL_EVENT) {
        for (unsigned i = 0; i < ARGUMENTS; i++)
            put(out, e->numbers[i]);
    } else {
        put(out, e->reuse);
        put(out, e->woken);
    }
}

void proving_record_write(const struct prove_shared *s, record_numbers *out)
{
    put_question(s, out);
    put_written(s, out);
    put(out, s->event_count);
    for (uint32_t i = 0; i < s->event_count; i++)
        put_event(&s->events[i], out);
}

/* --- reading -------------------------------------------------------------------------------------------------------------- */

struct reading {
    const int64_t *next, *end;
    bool is_bad;
};

/* From `least` to `most`; otherwise the record is bad. */
static int64_t take(struct reading *r, int64_t least, int64_t most)
{
    int64_t number = r->next < r->end ? *r->next++ : (r->is_bad = true, least);
    r->is_bad |= number < least || number > most;
    return r->is_bad ? least : number;
}

static void take_question(struct reading *r, struct prove_shared *s)
{
    struct prove_question *q = &s->question;
    take(r, VERSION, VERSION);
    q->threads = (uint32_t)take(r, 1, PROVE_MOST_THREADS);
    q->inside = (uint32_t)take(r, 0, INT32_MAX);
    q->free_values = (uint32_t)take(r, 0, INT32_MAX);
    q->tso = take(r, 0, 1);
    q->no_liveness = (uint32_t)take(r, 0, 1);
    s->reason = (uint32_t)take(r, PROVE_NO_EXPLANATION, PROVE_STUCK);
    q->forget_count = (uint32_t)take(r, 0, PROVE_COUNTERS_MAX);
    for (uint32_t i = 0; i < q->forget_count && !r->is_bad; i++) {
        q->forgets[i].address = (uint64_t)take(r, 0, INT64_MAX);
        q->forgets[i].size = (uint32_t)take(r, 1, sizeof(uint64_t));
    }
}

static void take_written(struct reading *r, struct prove_shared *s)
{
    int64_t runs = take(r, 0, PROVE_WORDS_MAX + 1), at = 0;
    for (int64_t i = 0; i < runs && !r->is_bad; i++)
        for (int64_t left = take(r, 0, PROVE_WORDS_MAX - at); left > 0; left--)
            s->uses[at++] = i % 2 ? PROVE_WRITERS : 0;
}

static void take_event(struct reading *r, struct prove_event *e)
{
    *e = (struct prove_event){.kind = (uint8_t)take(r, PROVE_CALL_EVENT, PROVE_FAULT_EVENT),
                              .thread = (uint8_t)take(r, 0, PROVE_MOST_THREADS - 1),
                              .op = (uint8_t)take(r, 0, PROVE_OPERATIONS_MAX - 1),
                              .reuse = PROVE_NEW_BLOCK};
    if (e->kind == PROVE_RETURN_EVENT) {
        e->number = take(r, INT64_MIN, INT64_MAX);
        e->value = take(r, INT64_MIN, INT64_MAX);
    } else if (e->kind == PROVE_CALL_EVENT) {
        for (unsigned i = 0; i < ARGUMENTS; i++)
            e->numbers[i] = take(r, INT64_MIN, INT64_MAX);
    } else {
        e->reuse = (int32_t)take(r, PROVE_WAKES, INT32_MAX);
        e->woken = (uint8_t)take(r, 0, UINT8_MAX);
    }
}

bool proving_record_read(struct prove_shared *s, const int64_t *numbers, size_t count)
{
    struct reading r = {numbers, numbers + count, false};
    take_question(&r, s);
    take_written(&r, s);
    s->event_count = (uint32_t)take(&r, 1, PROVE_EVENTS_MAX);
    for (uint32_t i = 0; i < s->event_count && !r.is_bad; i++)
        take_event(&r, &s->events[i]);
    return !r.is_bad && r.next == r.end;
}
