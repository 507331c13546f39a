/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/cluster/coordinator.h"

#include "base/hash.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PIECES_EACH = 8,     /* wanted for each process, of the first division and of later ones */
    MILLISECONDS = 2000, /* that a process may explore before it gives back what is left */
    TESTS_EACH = 32,     /* parts of the tests for each process */
    TRIES = 3,           /* of a piece whose process dies */
};

enum { TESTS_OPEN, TESTS_TAKEN, TESTS_DONE };

void coordinator_begin(struct coordinator *c, uint64_t ranks, bool is_auto)
{
    *c = (struct coordinator){.ranks = ranks, .is_auto = is_auto};
    c->tasks = NEW_ZEROED(struct coordinator_task, ranks);
    for (uint64_t k = 0; is_auto && k < ranks * TESTS_EACH && k < 4096; k++)
        vec_push(&c->tests, (uint8_t)TESTS_OPEN);
}

static void fail(struct coordinator *c, const char *message)
{
    diagnostic_set(&c->why, PL_BAD_SHARD, 0, 0, "%s", message);
    c->state = COORDINATOR_FAILED;
}

/* ------------------------------------------------------------------ requests */

static void put_request(struct text *out, struct request r, const struct text *work)
{
    r.length = work ? work->len : 0;
    text_clear(out);
    text_add(out, (const char *)&r, sizeof r);
    if (work)
        text_add(out, work->data, work->len);
}

/* Some of the pieces that are left, as a checkpoint; they belong to the task then. */
static void print_work(const struct coordinator *c, const struct coordinator_task *t, struct text *out)
{
    struct checkpoint work = {.code = c->code, .options = c->options, .layout = c->layout};
    for (size_t k = 0; k < c->objects.len; k++)
        vec_push(&work.objects, c->objects.data[k]);
    for (size_t k = 0; k < t->pieces.len; k++) {
        const struct coordinator_piece *piece = &t->pieces.data[k];
        vec_push(&work.part_sizes, piece->size);
        vec_reserve(&work.bytes, work.bytes.len + piece->size);
        memcpy(work.bytes.data + work.bytes.len, piece->bytes, piece->size);
        work.bytes.len += piece->size;
    }
    checkpoint_print(&work, out);
    checkpoint_free(&work);
}

static uint64_t count_idle(const struct coordinator *c)
{
    uint64_t idle = 0;
    for (uint64_t k = 0; k < c->ranks; k++)
        idle += !c->tasks[k].is_busy;
    return idle;
}

/* So many that all others get as many, twice. */
static size_t share(const struct coordinator *c)
{
    size_t part = c->pieces.len / (2 * c->ranks);
    return part > 0 ? part : 1;
}

static bool next_pieces(struct coordinator *c, struct coordinator_task *t, struct text *request)
{
    struct text work = {0};
    struct request r = {.kind = REQUEST_EXPLORE, .milliseconds = MILLISECONDS};
    if (!c->pieces.len)
        return false;
    /* Others have nothing to do, and there is nothing for them: what is there is divided first. */
    if (c->pieces.len < count_idle(c)) {
        r.kind = REQUEST_DIVIDE;
        r.wanted = PIECES_EACH * c->ranks;
    }
    for (size_t left = r.kind == REQUEST_DIVIDE ? 1 : share(c); left > 0 && c->pieces.len; left--) {
        struct coordinator_piece piece = vec_pop(&c->pieces);
        if (piece.milliseconds > r.milliseconds)
            r.milliseconds = piece.milliseconds;
        vec_push(&t->pieces, piece);
    }
    print_work(c, t, &work);
    put_request(request, r, &work);
    text_free(&work);
    return true;
}

static bool next_tests(struct coordinator *c, struct coordinator_task *t, struct text *request)
{
    for (size_t k = 0; k < c->tests.len; k++)
        if (c->tests.data[k] == TESTS_OPEN) {
            c->tests.data[k] = TESTS_TAKEN;
            t->number = k;
            put_request(request, (struct request){.kind = REQUEST_TESTS, .first = k, .wanted = c->tests.len},
                        NULL);
            return true;
        }
    return false;
}

bool coordinator_next(struct coordinator *c, uint64_t rank, struct text *request)
{
    struct coordinator_task *t = &c->tasks[rank];
    if (c->state != COORDINATOR_WORKS || t->is_busy)
        return false;
    /* Until an answer is there it may be that the program cannot be built, which is said once. */
    if (!c->has_answers && count_idle(c) < c->ranks)
        return false;
    t->is_root = !c->has_begun && !c->is_auto;
    if (t->is_root)
        put_request(request, (struct request){.kind = REQUEST_DIVIDE, .wanted = PIECES_EACH * c->ranks},
                    NULL);
    t->is_busy = t->is_root || (c->is_auto ? next_tests(c, t, request) : next_pieces(c, t, request));
    return t->is_busy;
}

/* ------------------------------------------------------------------ answers */

static void add_once(shard_texts *list, const char *words)
{
    for (size_t k = 0; k < list->len; k++)
        if (strcmp(list->data[k], words) == 0)
            return;
    shard_add_text(list, words);
}

/* False: in executions of others the rule for mutexes was used for an object that is none. */
static bool add_object(struct coordinator *c, const struct pool_object *o)
{
    for (size_t k = 0; k < c->objects.len; k++) {
        struct pool_object *mine = &c->objects.data[k];
        if (mine->address != o->address)
            continue;
        bool fine = mine->known || !((mine->locked && o->no_mutex) || (o->locked && mine->no_mutex));
        mine->locked |= o->locked;
        mine->no_mutex |= o->no_mutex;
        return fine;
    }
    vec_push(&c->objects, *o);
    return !c->has_begun || !(o->locked && o->no_mutex);
}

static void take_texts(char **to, char **from)
{
    free(*to);
    *to = *from;
    *from = NULL;
}

static enum verdict worse(enum verdict a, enum verdict b)
{
    static const enum verdict order[] = {VERDICT_VIOLATED, VERDICT_INCONCLUSIVE, VERDICT_SURVIVED,
                                         VERDICT_HOLDS};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        if (a == order[k] || b == order[k])
            return order[k];
    return VERDICT_NONE;
}

/* Of several errors the first that came is shown. */
static void add_record(struct coordinator *c, struct shard_record *r)
{
    struct shard_record *total = &c->total;
    bool is_first = !total->tool;
    if (is_first) {
        take_texts(&total->tool, &r->tool);
        take_texts(&total->command, &r->command);
        take_texts(&total->name, &r->name);
        total->fingerprint = r->fingerprint;
        total->count = 1;
    } else if (total->fingerprint != r->fingerprint) {
        fail(c, "not all machines have the same program, options and version of plumb, or the checkpoint is "
                "of another "
                "command");
        return;
    }
    if (r->answer == VERDICT_VIOLATED && total->answer != VERDICT_VIOLATED) {
        take_texts(&total->trace, &r->trace);
        take_texts(&total->trace_bytes, &r->trace_bytes);
        take_texts(&total->report, &r->report);
        total->failing = r->failing;
    }
    total->answer = worse(total->answer, r->answer);
    for (size_t k = 0; k < SHARD_NUMBER_COUNT; k++)
        total->numbers[k] += r->numbers[k];
    for (size_t k = 0; k < r->limits.len; k++)
        add_once(&total->limits, r->limits.data[k]);
    for (size_t k = 0; k < r->notes.len; k++)
        add_once(&total->notes, r->notes.data[k]);
}

static void add_piece(struct coordinator *c, const char *bytes, size_t size, uint32_t milliseconds)
{
    struct coordinator_piece piece = {.size = size, .milliseconds = milliseconds};
    piece.bytes = NEW_ARRAY(char, size + 1);
    memcpy(piece.bytes, bytes, size);
    vec_push(&c->pieces, piece);
}

static bool add_work(struct coordinator *c, const char *bytes, size_t length)
{
    struct checkpoint work = {0};
    if (!checkpoint_parse(&work, bytes, length, &c->why)) {
        c->state = COORDINATOR_FAILED;
        return false;
    }
    if (!c->has_begun) {
        c->code = work.code;
        c->options = work.options;
        c->layout = work.layout;
        for (size_t k = 0; k < work.objects.len; k++)
            vec_push(&c->objects, work.objects.data[k]);
    }
    const char *from = work.bytes.data;
    for (size_t k = 0; k < work.part_sizes.len; from += work.part_sizes.data[k++])
        if (work.part_sizes.data[k])
            add_piece(c, from, work.part_sizes.data[k], 0);
    checkpoint_free(&work);
    return true;
}

static void drop_task(struct coordinator_task *t)
{
    for (size_t k = 0; k < t->pieces.len; k++)
        free(t->pieces.data[k].bytes);
    vec_clear(&t->pieces);
    t->is_busy = t->is_root = false;
}

/* The pieces wait again, with more time. */
static void give_back(struct coordinator *c, struct coordinator_task *t, bool died)
{
    for (size_t k = 0; k < t->pieces.len; k++) {
        struct coordinator_piece piece = t->pieces.data[k];
        piece.tries += died;
        if (!died)
            piece.milliseconds = 2 * (piece.milliseconds ? piece.milliseconds : MILLISECONDS);
        vec_push(&c->pieces, piece);
    }
    vec_clear(&t->pieces);
    if (c->is_auto)
        c->tests.data[t->number] = TESTS_OPEN;
    t->is_busy = t->is_root = false;
}

static bool is_all_done(const struct coordinator *c)
{
    for (size_t k = 0; k < c->tests.len; k++)
        if (c->tests.data[k] != TESTS_DONE)
            return false;
    return c->has_begun && !c->pieces.len && count_idle(c) == c->ranks;
}

static bool is_sound(const struct text *answer, struct answer *head)
{
    if (answer->len < sizeof *head)
        return false;
    memcpy(head, answer->data, sizeof *head);
    return head->kind <= ANSWER_FAILED && head->record <= answer->len - sizeof *head &&
           head->work == answer->len - sizeof *head - head->record;
}

static void take_answer(struct coordinator *c, uint64_t rank, const struct answer *head, const char *bytes)
{
    struct coordinator_task *t = &c->tasks[rank];
    struct shard_record r = {0};
    if (!shard_record_parse(&r, bytes, head->record, &c->why)) {
        c->state = COORDINATOR_FAILED;
    } else if (add_record(c, &r), c->state == COORDINATOR_WORKS) {
        if (c->is_auto)
            c->tests.data[t->number] = TESTS_DONE;
        bool fine = !head->work || add_work(c, bytes + head->record, head->work);
        bool agrees = true;
        for (size_t k = 0; fine && k < r.objects.len; k++)
            agrees &= add_object(c, &r.objects.data[k]);
        c->has_begun = c->has_answers = true;
        t->tries = 0;
        drop_task(t);
        if (fine && !agrees)
            c->state = COORDINATOR_GIVEN_UP;
    }
    shard_record_free(&r);
}

/* Not among the limits of the sum: the run that goes on from the file does this work. */
static void add_reason(struct coordinator *c, const struct shard_record *why)
{
    for (size_t k = 0; why && k < why->limits.len; k++)
        add_once(&c->reasons, why->limits.data[k]);
    if (!c->reasons.len)
        add_once(&c->reasons, "a worker died three times over the same work, which is left to do");
}

static bool has_tries_left(const struct coordinator *c, const struct coordinator_task *t)
{
    uint32_t tries = t->tries;
    for (size_t k = 0; k < c->pieces.len; k++)
        tries = c->pieces.data[k].tries > tries ? c->pieces.data[k].tries : tries;
    return tries < TRIES;
}

/* `why`: what it said, or null. */
static void lose(struct coordinator *c, uint64_t rank, struct shard_record *why, bool is_final)
{
    struct coordinator_task *t = &c->tasks[rank];
    t->tries++;
    if (t->is_busy)
        give_back(c, t, true);
    if (!is_final && has_tries_left(c, t))
        return;
    if (why)
        memset(why->numbers, 0, sizeof why->numbers);
    if (!c->total.tool && why)
        add_record(c, why);
    if (!c->total.tool)
        fail(c, "workers die before there is a first result");
    if (c->state != COORDINATOR_WORKS)
        return;
    add_reason(c, why);
    c->state = COORDINATOR_CUT;
}

static void take_death(struct coordinator *c, uint64_t rank, const struct answer *head, const char *bytes)
{
    struct shard_record why = {0};
    if (shard_record_parse(&why, bytes, head->record, &c->why))
        lose(c, rank, &why, head->kind == ANSWER_FAILED);
    else
        c->state = COORDINATOR_FAILED;
    shard_record_free(&why);
}

void coordinator_answer(struct coordinator *c, uint64_t rank, const struct text *answer)
{
    struct answer head;
    if (!c->tasks[rank].is_busy) /* its work was given to others */
        return;
    if (!is_sound(answer, &head)) {
        fail(c, "an answer that is none");
        return;
    }
    if (head.kind == ANSWER_SLOW)
        give_back(c, &c->tasks[rank], false);
    else if (head.kind != ANSWER_DONE)
        take_death(c, rank, &head, answer->data + sizeof head);
    else
        take_answer(c, rank, &head, answer->data + sizeof head);
    if (c->state == COORDINATOR_WORKS && (c->total.answer == VERDICT_VIOLATED || is_all_done(c)))
        c->state = COORDINATOR_DONE;
}

void coordinator_lose(struct coordinator *c, uint64_t rank)
{
    lose(c, rank, NULL, false);
}

/* ------------------------------------------------------------------ the file */

static const char MAGIC[8] = "PLUMBCL";

struct header {
    char magic[8];
    uint64_t check; /* hash of all that follows */
    uint64_t is_auto, tests, record, work;
};

void coordinator_save(const struct coordinator *c, struct text *out)
{
    struct text record = {0}, work = {0};
    struct coordinator_task all = {0};
    for (size_t k = 0; k < c->pieces.len; k++)
        vec_push(&all.pieces, c->pieces.data[k]);
    for (uint64_t r = 0; r < c->ranks; r++)
        for (size_t k = 0; k < c->tasks[r].pieces.len; k++)
            vec_push(&all.pieces, c->tasks[r].pieces.data[k]);
    shard_record_print(&record, &c->total);
    print_work(c, &all, &work);
    vec_free(&all.pieces);
    struct header h = {.is_auto = c->is_auto, .tests = c->tests.len, .record = record.len, .work = work.len};
    memcpy(h.magic, MAGIC, sizeof h.magic);
    text_clear(out);
    text_add(out, (const char *)&h, sizeof h);
    text_add(out, c->tests.len ? (const char *)c->tests.data : "", c->tests.len);
    text_add(out, record.data, record.len);
    text_add(out, work.data, work.len);
    const size_t checked = offsetof(struct header, is_auto);
    uint64_t check = hash_bytes(out->data + checked, out->len - checked);
    memcpy(out->data + offsetof(struct header, check), &check, sizeof check);
    text_free(&record);
    text_free(&work);
}

bool coordinator_load(struct coordinator *c, const char *bytes, size_t length)
{
    struct header h;
    const size_t checked = offsetof(struct header, is_auto);
    if (length < sizeof h || memcmp(bytes, MAGIC, sizeof MAGIC) != 0)
        return diagnostic_set(&c->why, PL_BAD_CHECKPOINT, 0, 0, "this is not a checkpoint of plumb-mpi");
    memcpy(&h, bytes, sizeof h);
    uint64_t left = length - sizeof h;
    if (h.check != hash_bytes(bytes + checked, length - checked) || h.tests > 4096 || h.tests > left ||
        h.record > left - h.tests || h.work != left - h.tests - h.record)
        return diagnostic_set(&c->why, PL_BAD_CHECKPOINT, 0, 0, "the checkpoint is damaged");
    if ((h.is_auto != 0) != c->is_auto)
        return diagnostic_set(&c->why, PL_BAD_CHECKPOINT, 0, 0, "the checkpoint is of another command");
    bytes += sizeof h;
    vec_clear(&c->tests);
    for (uint64_t k = 0; k < h.tests; k++)
        vec_push(&c->tests, (uint8_t)(bytes[k] == TESTS_DONE ? TESTS_DONE : TESTS_OPEN));
    bool fine = shard_record_parse(&c->total, bytes + h.tests, h.record, &c->why) &&
                add_work(c, bytes + h.tests + h.record, h.work);
    c->has_begun = true;
    if (fine && is_all_done(c))
        c->state = COORDINATOR_DONE;
    return fine;
}

void coordinator_free(struct coordinator *c)
{
    for (uint64_t r = 0; r < c->ranks; r++) {
        drop_task(&c->tasks[r]);
        vec_free(&c->tasks[r].pieces);
    }
    for (size_t k = 0; k < c->pieces.len; k++)
        free(c->pieces.data[k].bytes);
    vec_free(&c->pieces);
    vec_free(&c->objects);
    vec_free(&c->tests);
    free(c->tasks);
    shard_record_free(&c->total);
    for (size_t k = 0; k < c->reasons.len; k++)
        free(c->reasons.data[k]);
    vec_free(&c->reasons);
}
