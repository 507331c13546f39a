/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/loop_program.h"

#include "base/check.h"
#include "base/hash.h"
#include "explore/schedules/prng.h"
#include "graph/event.h"

#include <stdio.h>
#include <string.h>

const char *const loop_kind_names[LOOP_KIND_COUNT] = {
#define X(name, text) text,
    LOOP_KINDS(X)
#undef X
};

/* ---- what a thread does by itself ---- */

int8_t loop_value(const struct loop_thread *t, struct loop_operand o)
{
    return o.in_register ? t->registers[o.value] : o.value;
}

static void do_hidden(const struct loop_instruction *i, struct loop_thread *t, uint32_t *puts)
{
    int8_t a = loop_value(t, i->a), b = loop_value(t, i->b);
    t->at++;
    switch (i->operation) {
    case LOOP_SET: t->registers[i->target] = (int8_t)((a + b) & 7); break;
    case LOOP_MASK: t->registers[i->target] = a & b; break;
    case LOOP_EQUAL: t->registers[i->target] = a == b; break;
    case LOOP_PUT:
        t->private[i->location] = a;
        ++*puts;
        break;
    case LOOP_GET: t->registers[i->target] = t->private[i->location]; break;
    case LOOP_IF_NOT: t->at = a ? t->at : i->to; break;
    case LOOP_IF: t->at = a ? i->to : t->at; break;
    case LOOP_GO: t->at = i->to; break;
    default: t->failed |= !a; break;
    }
}

bool loop_settle(const struct loop_code *c, struct loop_thread *t, uint32_t *puts)
{
    enum { MOST = 1000 };
    for (uint32_t steps = 0; !loop_has_ended(c, t) && c->code[t->at].operation >= LOOP_SET && !t->failed;
         steps++) {
        if (steps == MOST)
            return false;
        do_hidden(&c->code[t->at], t, puts);
    }
    return true;
}

static int8_t seen_at(uint8_t location, int8_t value)
{
    return location == LOOP_COUNTER ? value & 3 : value;
}

struct loop_effect loop_apply(const struct loop_instruction *i, const struct loop_thread *t, int8_t found,
                              int8_t me)
{
    int8_t a = loop_value(t, i->a), b = loop_value(t, i->b);
    switch (i->operation) {
    case LOOP_STORE:
    case LOOP_EXCHANGE: return (struct loop_effect){true, true, a};
    case LOOP_ADD: return (struct loop_effect){true, true, seen_at(i->location, (int8_t)(found + a))};
    case LOOP_CAS: return (struct loop_effect){true, found == a, found == a ? b : found};
    case LOOP_LOCK: return (struct loop_effect){found == 0, true, me};
    case LOOP_TRY: return (struct loop_effect){true, found == 0, found == 0 ? me : found};
    case LOOP_UNLOCK: return (struct loop_effect){true, true, 0};
    default: return (struct loop_effect){true, false, found};
    }
}

void loop_finish(const struct loop_instruction *i, struct loop_thread *t, int8_t found, bool wrote)
{
    switch (i->operation) {
    case LOOP_LOAD:
    case LOOP_EXCHANGE:
    case LOOP_ADD: t->registers[i->target] = seen_at(i->location, found); break;
    case LOOP_CAS:
    case LOOP_TRY: t->registers[i->target] = wrote; break;
    default: break;
    }
    t->at++;
}

bool loop_reads(const struct loop_instruction *i)
{
    return i->operation != LOOP_STORE && i->operation != LOOP_UNLOCK && i->operation != LOOP_FENCE;
}

uint64_t loop_outcome(const struct loop_program *p, const struct loop_thread *threads, const int8_t *memory)
{
    uint64_t h = 1;
    for (uint32_t t = 0; t < p->thread_count; t++)
        for (uint32_t k = 0; k < LOOP_RESULTS; k++)
            h = hash_combine(h, (uint64_t)threads[t].registers[k]);
    for (uint32_t k = 0; k < LOOP_COUNTER; k++)
        h = hash_combine(h, (uint64_t)memory[k]);
    return h;
}

/* ---- which registers matter ---- */

static uint8_t bit_of(struct loop_operand o)
{
    return o.in_register ? (uint8_t)(1 << o.value) : 0;
}

static bool sets_target(enum loop_operation o)
{
    return o == LOOP_LOAD || o == LOOP_EXCHANGE || o == LOOP_ADD || o == LOOP_CAS || o == LOOP_TRY ||
           o == LOOP_SET || o == LOOP_MASK || o == LOOP_EQUAL || o == LOOP_GET;
}

static uint8_t live_at(const struct loop_code *c, uint32_t k)
{
    const struct loop_instruction *i = &c->code[k];
    uint8_t after = i->operation == LOOP_GO ? c->live[i->to] : c->live[k + 1];
    if (i->operation == LOOP_IF || i->operation == LOOP_IF_NOT)
        after |= c->live[i->to];
    bool computes = i->operation >= LOOP_SET && i->operation <= LOOP_EQUAL;
    if (computes && !(after >> i->target & 1))
        return after; /* of no use, so what it is computed from is of none here */
    if (sets_target(i->operation))
        after &= (uint8_t) ~(1 << i->target);
    return after | bit_of(i->a) | bit_of(i->b);
}

void loop_find_live(struct loop_code *c)
{
    memset(c->live, 0, sizeof c->live);
    c->live[c->count] = (1 << LOOP_RESULTS) - 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = c->count; k-- > 0;) {
            uint8_t live = live_at(c, k);
            changed |= live != c->live[k];
            c->live[k] = live;
        }
    }
}

bool loop_finds_in_vain(const struct loop_code *c, uint32_t at)
{
    uint8_t o = c->code[at].operation;
    return (o == LOOP_LOAD || o == LOOP_EXCHANGE || o == LOOP_ADD) &&
           !(c->live[at + 1] >> c->code[at].target & 1);
}

/* ---- programs as text ---- */

static struct loop_operand operand_of(const char *word)
{
    if (word[0] == 'r')
        return (struct loop_operand){true, (int8_t)(word[1] - '0')};
    return (struct loop_operand){false, (int8_t)(word[0] - '0')};
}

static uint8_t place_of(const char *word)
{
    return (uint8_t)(word[1] - '0' + (word[0] == 'm' ? LOOP_MUTEX : word[0] == 's' ? LOOP_COUNTER : 0));
}

/* "r2=try m0": the words after the sign. */
static void parse_assignment(struct loop_instruction *i, const char *to, char words[][8], int count)
{
    static const char *const names[] = {"swap", "add", "cas", "try", "look"};
    static const uint8_t operations[] = {LOOP_EXCHANGE, LOOP_ADD, LOOP_CAS, LOOP_TRY, LOOP_LOAD};
    i->target = (uint8_t)(to[1] - '0');
    for (unsigned k = 0; k < sizeof operations; k++)
        if (strcmp(words[0], names[k]) == 0) {
            i->operation = operations[k];
            i->patient = operations[k] == LOOP_LOAD;
            i->location = place_of(words[1]);
            i->a = count > 2 ? operand_of(words[2]) : (struct loop_operand){0};
            i->b = count > 3 ? operand_of(words[3]) : (struct loop_operand){0};
            return;
        }
    char sign = count > 1 ? words[1][0] : 0;
    i->location = place_of(words[0]);
    if (strchr("xsp", words[0][0])) {
        i->operation = words[0][0] == 'p' ? LOOP_GET : LOOP_LOAD;
        return;
    }
    i->a = operand_of(words[0]);
    i->b = count > 2 ? operand_of(words[2]) : (struct loop_operand){0};
    i->operation = sign == '&' ? LOOP_MASK : sign == '=' ? LOOP_EQUAL : LOOP_SET;
}

/* Where the labels of a text are: digits, and e for its end. */
struct labels {
    uint8_t at[11];
};

static uint8_t label_number(char c)
{
    return c == 'e' ? 10 : (uint8_t)(c - '0');
}

static void parse_statement(struct loop_instruction *i, char words[][8], int count)
{
    *i = (struct loop_instruction){.order = ORDER_RELAXED};
    if (count > 1 && words[1][0] == '=' && words[1][1] == 0) {
        if (words[0][0] == 'r') {
            parse_assignment(i, words[0], words + 2, count - 2);
            return;
        }
        i->operation = words[0][0] == 'p' ? LOOP_PUT : LOOP_STORE;
        i->location = place_of(words[0]);
        i->a = operand_of(words[2]);
        return;
    }
    static const char *const names[] = {"lock", "unlock", "fence", "if", "ifnot", "go", "assert"};
    static const uint8_t operations[] = {LOOP_LOCK,   LOOP_UNLOCK, LOOP_FENCE, LOOP_IF,
                                         LOOP_IF_NOT, LOOP_GO,     LOOP_ASSERT};
    for (unsigned k = 0; k < 7; k++)
        if (strcmp(words[0], names[k]) == 0)
            i->operation = operations[k];
    if (i->operation == LOOP_LOCK || i->operation == LOOP_UNLOCK)
        i->location = place_of(words[1]);
    if (i->operation == LOOP_IF || i->operation == LOOP_IF_NOT || i->operation == LOOP_ASSERT)
        i->a = operand_of(words[1]);
    if (i->operation == LOOP_IF || i->operation == LOOP_IF_NOT || i->operation == LOOP_GO)
        i->to = label_number(words[count - 1][0]);
}

static void resolve(struct loop_code *c, uint32_t from, const struct labels *labels)
{
    for (uint32_t k = from; k < c->count; k++) {
        uint8_t o = c->code[k].operation;
        if (o == LOOP_IF || o == LOOP_IF_NOT || o == LOOP_GO)
            c->code[k].to = labels->at[c->code[k].to];
    }
}

/* Statements are separated by ";", words by spaces; "0:" is a label, which this text alone knows. */
void loop_assemble(struct loop_code *c, const char *text)
{
    struct labels labels = {0};
    uint32_t from = c->count;
    char words[8][8];
    while (*text) {
        int count = 0, used;
        while (sscanf(text, " %7[^; ]%n", words[count], &used) == 1) {
            text += used;
            if (words[count][1] == ':')
                labels.at[label_number(words[count][0])] = (uint8_t)c->count;
            else
                count++;
        }
        text += strspn(text, " ;");
        if (count == 0)
            continue;
        CHECK(c->count < LOOP_CODE);
        parse_statement(&c->code[c->count++], words, count);
    }
    labels.at[label_number('e')] = (uint8_t)c->count;
    resolve(c, from, &labels);
}

/* ---- printing ---- */

static void print_operand(struct loop_operand o)
{
    printf(o.in_register ? " r%d" : " %d", o.value);
}

static void print_instruction(const struct loop_instruction *i)
{
    static const char *const names[] = {"load", "store",  "swap",  "add", "cas",  "lock",
                                        "try",  "unlock", "fence", "set", "mask", "equal",
                                        "put",  "get",    "ifnot", "if",  "go",   "assert"};
    static const char *const names_of_locations[] = {"x0", "x1", "x2", "x3", "m0", "m1", "s0"};
    printf("%s", i->patient ? "look" : names[i->operation]);
    if (sets_target(i->operation))
        printf(" r%u", i->target);
    if (i->operation < LOOP_FENCE || i->operation == LOOP_PUT || i->operation == LOOP_GET)
        printf(" %s", names_of_locations[i->location]);
    print_operand(i->a);
    print_operand(i->b);
    if (i->operation >= LOOP_IF_NOT && i->operation <= LOOP_GO)
        printf(" -> %u", i->to);
    printf(" %s\n", event_order_text(i->order));
}

void loop_print(const struct loop_program *p)
{
    for (uint32_t t = 0; t < p->thread_count; t++) {
        printf("  thread %u:\n", t + 1);
        for (uint32_t k = 0; k < p->threads[t].count; k++) {
            printf("    %2u ", k);
            print_instruction(&p->threads[t].code[k]);
        }
    }
}

/* ---- random programs ---- */

/* x0 to x2 are data, x3 is what loops wait for. */
static const char *const cache_loops[] = {
    "0: p0 = 1; r2 = x3; p0 = r2; p1 = 2; r3 = p1; p1 = 0; p0 = 0; ifnot r2 0",
    "0: r3 = p0; r4 = r3 == 1; if r4 e; r3 = x3; p0 = r3; go 0",
    "0: p0 = 1; r2 = x3; r4 = x0; p1 = r4; p0 = 0; p1 = 0; ifnot r2 0",
    "p0 = 0; 0: r2 = x3; p0 = r2; r3 = p0; if r3 e; r4 = x1; p1 = r4; go 0",
};
static const char *const counter_loops[] = {
    "0: r2 = x3; if r2 e; r3 = r3 + 1; go 0",
    "0: r2 = x3; if r2 e; r3 = r3 + 1; r4 = r3 == 3; ifnot r4 0; r0 = 2",
    "0: r2 = x3; if r2 e; r3 = r3 + 1; r3 = r3 & 1; ifnot r3 0; r4 = x0; go 0",
    "0: r2 = x3; r3 = r3 + 1; r3 = r3 & 3; ifnot r2 0; r0 = r3 & 1",
};
static const char *const back_off_loops[] = {
    "0: r2 = try m0; if r2 1; r3 = r3 + 1; go 0; 1: x0 = 1; unlock m0",
    "0: r2 = try m0; if r2 1; r4 = x3; ifnot r4 0; r0 = 2; go e; 1: r1 = x0; x0 = 1; unlock m0",
    "0: lock m0; r2 = try m1; if r2 1; unlock m0; go 0; 1: r0 = x0; x0 = 1; unlock m1; unlock m0",
    "0: lock m1; r2 = try m0; if r2 1; unlock m1; go 0; 1: r0 = x0; x0 = 2; unlock m0; unlock m1",
    "0: r2 = x3; if r2 e; r2 = try m0; ifnot r2 0; r3 = x0; unlock m0; go 0",
};
static const char *const cas_loops[] = {
    "0: r2 = x0; r3 = r2 + 1; r4 = cas x0 r2 r3; ifnot r4 0",
    "0: r2 = x0; r3 = r2 + 1; r3 = r3 & 1; r4 = cas x0 r2 r3; ifnot r4 0; r0 = r2",
    "0: r2 = cas x2 0 1; ifnot r2 0; r0 = x0; x0 = 1; x2 = 0",
    "0: r4 = x2; if r4 0; r2 = cas x2 0 1; ifnot r2 0; r1 = x1; x1 = 2; x2 = 0",
    "0: r2 = swap x2 1; if r2 0; r0 = x0; x0 = 1; x2 = 0",
};
static const char *const lock_loops[] = {
    "0: lock m0; r2 = x3; unlock m0; ifnot r2 0",
    "0: lock m0; r2 = x3; r4 = x0; unlock m0; ifnot r2 0; r0 = r4",
    "0: lock m0; r2 = x3; if r2 1; unlock m0; go 0; 1: x0 = 1; unlock m0",
    "0: lock m0; r4 = x0; unlock m0; lock m1; r2 = x3; unlock m1; ifnot r2 0",
    "0: lock m0; x0 = 1; r2 = x3; unlock m0; ifnot r2 0",
    "0: lock m0; lock m1; r2 = x3; unlock m1; unlock m0; r3 = r3 + 1; ifnot r2 0",
};
static const char *const toggle_loops[] = {
    "0: x0 = 1; x0 = 0; r2 = x3; ifnot r2 0",
    "0: x0 = 1; r2 = x3; x0 = 0; ifnot r2 0",
    "0: r4 = swap x0 1; x0 = 0; r2 = x3; ifnot r2 0",
    "0: x0 = 0; r2 = x3; ifnot r2 0",
    "0: x0 = 1; x1 = 1; x0 = 0; x1 = 0; r2 = x3; ifnot r2 0",
    "0: r4 = cas x0 0 1; ifnot r4 1; x0 = 0; 1: r2 = x3; ifnot r2 0",
};
/* What was released before the rounds may be acquired, and what is written after them read without acquiring it. */
static const char *const known_loops[] = {
    "x0 = 0; x1 = 1; 0: r2 = x3; if r2 1; x0 = 1; x0 = 0; go 0; 1: x2 = 1",
    "lock m0; x0 = 0; unlock m0; 0: r2 = x3; if r2 1; x0 = 1; x0 = 0; go 0; 1: x2 = 1",
    "x1 = 1; 0: r2 = x3; if r2 1; r5 = swap x0 1; r5 = swap x0 0; go 0; 1: x2 = 1",
    "x0 = 2; x1 = 1; 0: r2 = x3; if r2 1; r5 = add x0 0; go 0; 1: x2 = 1",
    "x1 = 1; 0: r2 = x3; if r2 1; x0 = 0; go 0; 1: r5 = swap x0 1; x2 = 1",
    "0: r2 = swap x2 1; ifnot r2 1; go 0; 1: x0 = 1; x0 = 0; x2 = 0; x3 = 1",
};
static const char *const knowing[] = {
    "r2 = x1; ifnot r2 e; x3 = 1; r2 = x2; ifnot r2 e; r0 = x0; r1 = x0",
    "lock m0; r5 = x1; unlock m0; x3 = 1; r2 = x2; ifnot r2 e; r0 = x0",
    "x3 = 1; r2 = x2; ifnot r2 e; x0 = 2; r0 = x0",
    "r5 = x0; x3 = 1; r2 = swap x2 2; ifnot r2 e; r0 = swap x0 2; r1 = x0",
    "r2 = x1; x3 = 1; r2 = x2; ifnot r2 e; r0 = add x0 0; r1 = x0",
    "r2 = x2; ifnot r2 e; x1 = 2; r0 = x0",
};
static const char *const counting_loops[] = {
    "0: r2 = x3; if r2 e; r5 = add s0 1; go 0",
    "0: r2 = cas x2 0 1; if r2 1; r5 = add s0 1; go 0; 1: r0 = x0; x0 = 1; x2 = 0",
    "0: r2 = swap x2 1; ifnot r2 1; r5 = add s0 1; go 0; 1: r1 = x1; x1 = 2; x2 = 0",
    "0: r2 = try m0; if r2 1; r5 = add s0 1; go 0; 1: x0 = 1; unlock m0",
    "0: lock m0; r2 = x3; unlock m0; if r2 e; r5 = swap s0 1; go 0",
    "0: r2 = x3; if r2 e; s0 = 1; go 0",
    "0: x0 = 1; r5 = add s0 1; x0 = 0; r2 = x3; ifnot r2 0",
    "0: r2 = x3; if r2 e; r5 = add s0 1; r4 = s0; r4 = r4 & 1; ifnot r4 0; r0 = 1; go 0",
};
static const char *const counting_steps[] = {"r5 = add s0 1", "r5 = add s0 1", "r5 = swap s0 2", "r5 = s0",
                                             "r1 = add s0 1", "r0 = s0",       "s0 = 2"};
static const char *const patient_loops[] = {
    "0: r2 = look x3; if r2 e; r3 = r3 + 1; r4 = r3 == 3; ifnot r4 0; r0 = 2",
    "0: r2 = look x0; if r2 1; r3 = r3 + 1; r4 = r3 == 4; ifnot r4 0; x1 = 1; go e; 1: r0 = r2; r1 = x1",
    "0: r2 = look x1; r3 = r3 + 1; r4 = r2 == 1; if r4 1; r4 = r3 == 3; ifnot r4 0; 1: r0 = r2",
    "0: r2 = look x0; ifnot r2 1; r4 = cas x0 r2 3; if r4 2; 1: r3 = r3 + 1; r4 = r3 == 3; ifnot r4 0; "
    "r5 = add x1 1; go e; 2: r0 = 1",
    "0: r2 = look x2; if r2 1; r4 = cas x2 0 1; if r4 2; 1: r3 = r3 + 1; r4 = r3 == 3; ifnot r4 0; "
    "r1 = 3; go e; 2: r0 = x0; x0 = 1; x2 = 0",
    "0: r3 = 0; 1: r2 = look x3; if r2 e; r3 = r3 + 1; r4 = r3 == 2; ifnot r4 1; r5 = x0; go 0",
    "0: r3 = 0; 1: r2 = look x3; if r2 e; r3 = r3 + 1; r4 = r3 == 3; ifnot r4 1; lock m0; r5 = x0; unlock "
    "m0; "
    "go 0",
    "0: r3 = 0; 1: r2 = look x0; if r2 2; r3 = r3 + 1; r4 = r3 == 3; ifnot r4 1; x1 = 1; x1 = 0; go 0; 2: r0 "
    "= r2",
};
static const char *const setters[] = {
    "x3 = 1",         "x3 = 1",         "lock m0; x3 = 1; unlock m0", "lock m1; x3 = 1; unlock m1",
    "r5 = swap x3 1", "x1 = 1; x3 = 1", "r5 = x0; if r5 e; x3 = 1"};
static const char *const observers[] = {
    "r0 = x0; r1 = x0; x3 = 1",
    "r0 = x0; x3 = 1; r1 = x0",
    "x3 = 1; r0 = x0; r1 = x0",
    "r2 = x0; ifnot r2 e; r0 = x0; r1 = x0",
    "r2 = x0; ifnot r2 e; r2 = x0; if r2 e; r0 = x0; x3 = 1",
    "r0 = cas x0 1 2; x3 = 1",
    "0: r2 = x0; ifnot r2 0; r0 = 1; x3 = 1",
    "r0 = swap x0 2; x3 = 1; r1 = x0",
};
static const char *const steps[] = {"r0 = x0",
                                    "r1 = x0",
                                    "r0 = x1",
                                    "r1 = x3",
                                    "r0 = x2",
                                    "x0 = 1",
                                    "x1 = 1",
                                    "x1 = 2",
                                    "x3 = 1",
                                    "x0 = 2",
                                    "fence",
                                    "r0 = swap x1 1",
                                    "r1 = add x1 1",
                                    "r5 = try m0; ifnot r5 e; r0 = x0; unlock m0",
                                    "r1 = try m0; ifnot r1 e; unlock m0",
                                    "lock m0; r1 = x0; unlock m0",
                                    "lock m0; x1 = 1; unlock m0",
                                    "r0 = cas x0 0 1",
                                    "lock m1; r0 = x1; unlock m1",
                                    "r5 = r0 == 1; ifnot r5 e; r5 = r1 == 1; r5 = r5 == 0; assert r5"};

#define CHOOSE(random, list) (list)[prng_below((random), sizeof(list) / sizeof *(list))]

static const char *choose_loop(struct prng *r, enum loop_kind kind)
{
    switch (kind) {
    case LOOP_KIND_CACHE: return CHOOSE(r, cache_loops);
    case LOOP_KIND_COUNTER: return CHOOSE(r, counter_loops);
    case LOOP_KIND_BACK_OFF: return CHOOSE(r, back_off_loops);
    case LOOP_KIND_CAS: return CHOOSE(r, cas_loops);
    case LOOP_KIND_UNDER_LOCK: return CHOOSE(r, lock_loops);
    case LOOP_KIND_TOGGLE:
    case LOOP_KIND_OBSERVED: return CHOOSE(r, toggle_loops);
    case LOOP_KIND_KNOWN: return CHOOSE(r, known_loops);
    case LOOP_KIND_STATISTICS: return CHOOSE(r, counting_loops);
    case LOOP_KIND_PATIENCE: return CHOOSE(r, patient_loops);
    default: return choose_loop(r, (enum loop_kind)prng_below(r, LOOP_KIND_MIXED));
    }
}

static void add_steps(struct prng *r, struct loop_code *c, enum loop_kind kind, uint32_t most)
{
    for (uint32_t k = prng_below(r, most + 1); k-- > 0;)
        if (kind == LOOP_KIND_STATISTICS && prng_below(r, 3) == 0)
            loop_assemble(c, CHOOSE(r, counting_steps));
        else
            loop_assemble(c, CHOOSE(r, steps));
}

/* One more loop, or what ends the loops of others. */
static void add_role(struct prng *r, struct loop_code *c, enum loop_kind kind, uint32_t thread)
{
    bool toggles = kind == LOOP_KIND_TOGGLE || kind == LOOP_KIND_OBSERVED;
    bool loops = thread == 0 || prng_below(r, 10) < (kind == LOOP_KIND_MIXED ? 5u : toggles ? 0u : 3u);
    bool both = kind == LOOP_KIND_BACK_OFF || kind == LOOP_KIND_CAS;
    if (loops || (both && prng_below(r, 2)))
        loop_assemble(c, choose_loop(r, kind));
    else if (kind == LOOP_KIND_KNOWN)
        loop_assemble(c, CHOOSE(r, knowing));
    else if (kind == LOOP_KIND_OBSERVED || (kind == LOOP_KIND_MIXED && prng_below(r, 2)))
        loop_assemble(c, CHOOSE(r, observers));
    if (!loops && prng_below(r, 8))
        loop_assemble(c, CHOOSE(r, setters));
}

/* All the same, or any. */
static void choose_orders(struct prng *r, struct loop_program *p)
{
    static const uint8_t any[] = {ORDER_RELAXED, ORDER_RELAXED, ORDER_ACQ_REL, ORDER_SEQ_CST};
    uint32_t way = prng_below(r, 5);
    for (uint32_t t = 0; t < p->thread_count; t++)
        for (uint32_t k = 0; k < p->threads[t].count; k++) {
            struct loop_instruction *i = &p->threads[t].code[k];
            uint8_t order = way < 3 ? (const uint8_t[]){ORDER_RELAXED, ORDER_SEQ_CST, ORDER_ACQ_REL}[way]
                                    : CHOOSE(r, any);
            if (order == ORDER_ACQ_REL && i->operation == LOOP_LOAD)
                order = ORDER_ACQUIRE;
            if (order == ORDER_ACQ_REL && i->operation == LOOP_STORE)
                order = ORDER_RELEASE;
            if (i->operation == LOOP_FENCE && order == ORDER_RELAXED)
                order = ORDER_ACQ_REL;
            if (i->operation == LOOP_LOCK || i->operation == LOOP_TRY)
                order = ORDER_ACQUIRE;
            if (i->operation == LOOP_UNLOCK)
                order = ORDER_RELEASE;
            i->order = order;
        }
}

void loop_random(struct loop_program *p, enum loop_kind kind, uint64_t seed, uint64_t number)
{
    struct prng r = prng_start(seed, number);
    memset(p, 0, sizeof *p);
    p->thread_count = prng_below(&r, 5) < 3 ? 2 : 3;
    uint32_t most = p->thread_count == 2 ? 2 : 1;
    for (uint32_t t = 0; t < p->thread_count; t++) {
        add_steps(&r, &p->threads[t], kind, most);
        add_role(&r, &p->threads[t], kind, t);
        add_steps(&r, &p->threads[t], kind, most);
        loop_find_live(&p->threads[t]);
    }
    choose_orders(&r, p);
}
