/* SPDX-License-Identifier: Apache-2.0 */
#include "prove/prove_counters.h"
#include "prove/prove_form.h"

#include "base/check.h"
#include "base/memory.h"

#include <string.h>

uint32_t prove_role_of[PROVE_THREADS_MAX];
bool prove_dead_is_zero;

/* --- names ------------------------------------------------------------------------------------------------------------- */

/* Threads; globals that others use, too, or that only one thread does. */
enum { ROOT_GLOBALS = PROVE_THREADS_MAX, ROOT_OWN_GLOBALS, ROOTS = ROOT_OWN_GLOBALS + PROVE_THREADS_MAX };

struct writer {
    struct prove_form *form;
    struct prove_names *names;
    const struct prove_dialect *from, *to;
    uint64_t addresses[PROVE_BLOCKS_MAX]; /* new ones */
    uint32_t queue[PROVE_BLOCKS_MAX], reached;
    uint64_t cursor;
    uint8_t items[PROVE_ITEMS_MAX + 1];          /* new numbers */
    bool leaves_out, left_out[PROVE_BLOCKS_MAX]; /* blocks that are too far from threads */
    /* Who leads where: roots (threads, globals), then blocks */
    uint32_t source;
    VEC(uint64_t) edges;      /* source << 32 | block */
    struct prove_shift shift; /* of counters */
    enum prove_outcome outcome;
};

static void be_unsure(struct writer *w, const char *why)
{
    w->outcome = prove_note(PROVE_UNSURE, "%s", why);
}

static uint64_t move_block_address(struct writer *w, uint64_t word)
{
    const struct prove_block *b = prove_block_at(word & PROVE_ADDRESS_MASK);
    if (!b) {
        be_unsure(w, "an address is kept that is in no block of memory");
        return word;
    }
    uint32_t i = (uint32_t)(b - prove.state.blocks);
    if (w->leaves_out && w->left_out[i])
        return PROVE_POISON;
    if (!w->names->numbers[i]) {
        w->addresses[i] = prove_take_room(w->to, &w->cursor, b);
        if (w->to->is_reversed && w->cursor < prove_middle(w->to) + PROVE_ARENA_BYTES / 4)
            be_unsure(w, "more memory is in use at a time than is kept in a state");
        w->queue[w->reached++] = i;
        w->names->numbers[i] = w->reached;
    }
    vec_push(&w->edges, (uint64_t)w->source << 32 | i);
    return word - b->address + w->addresses[i];
}

static uint64_t move_stack_address(const struct writer *w, uint64_t word)
{
    unsigned thread = (unsigned)(((word & PROVE_ADDRESS_MASK) - w->from->stacks) / PROVE_STACK_BYTES);
    return word - w->from->stacks + w->to->stacks +
           ((uint64_t)w->names->place[thread] - thread) * PROVE_STACK_BYTES;
}

static uint32_t rename_item(struct writer *w, uint32_t word)
{
    unsigned item = prove_item_of(w->from, word);
    if (!item)
        return word;
    if (!w->items[item]) {
        w->items[item] = ++w->names->item_count;
        w->names->old[w->items[item]] = (uint8_t)item;
    }
    return prove_item_word(w->to, w->items[item]);
}

/* PLUMB_INT of an item: an answer that is ready before the operation returns. */
static bool is_answer(const struct writer *w, uint64_t word)
{
    enum { TAG_BITS = 3 };
    uint64_t number = word >> TAG_BITS;
    return !(word & 7) && (number <= UINT32_MAX || number == prove_item_twice((uint32_t)number)) &&
           prove_item_of(w->from, (uint32_t)number);
}

static uint64_t translate(struct writer *w, uint64_t word)
{
    if (w->shift.is_on)
        word = prove_counters_shift(&w->shift, word);
    uint64_t address = word & PROVE_ADDRESS_MASK;
    if (address - w->from->arena < PROVE_ARENA_BYTES)
        return move_block_address(w, word);
    if (prove_is_on_stacks(w->from, address))
        return move_stack_address(w, word);
    if (prove.program.tls_size && word - (uint64_t)prove.program.tls < prove.program.tls_size &&
        w->source >= PROVE_THREADS_MAX)
        be_unsure(w, "the address of a thread-local variable is given to other threads");
    if (prove.shared->free_values)
        return word;
    if (is_answer(w, word)) {
        uint32_t item = rename_item(w, (uint32_t)(word >> 3));
        return (word >> 3 > UINT32_MAX ? prove_item_twice(item) : item) << 3;
    }
    uint64_t low = rename_item(w, (uint32_t)word), high = rename_item(w, (uint32_t)(word >> 32));
    return low | high << 32;
}

/* --- writing ------------------------------------------------------------------------------------------------------------- */

/* Twins have something else there: that it is dead is tried, too. */
static uint64_t dead_word(const struct prove_dialect *d)
{
    return prove_dead_is_zero ? 0 : UINT64_C(0x0101010101010101) * d->garbage;
}

uint64_t prove_litter(void)
{
    return UINT64_C(0x0101010101010101) * prove.state.dialect->litter;
}

/* Litter looks otherwise in the other dialect, like items; only whole halves of words, because a byte may be anything. */
static uint64_t translate_litter(const struct writer *w, uint64_t word)
{
    uint32_t old = UINT32_C(0x01010101) * w->from->litter, new = UINT32_C(0x01010101) * w->to->litter;
    if (!old) /* most zeros are none */
        return word;
    if ((uint32_t)word == old)
        word = (word & ~(uint64_t)UINT32_MAX) | new;
    if ((uint32_t)(word >> 32) == old)
        word = (word & UINT32_MAX) | (uint64_t) new << 32;
    return word;
}

/* What is left of an address in a frame when a number was written over its lower half. */
static uint64_t translate_rest(const struct writer *w, uint64_t word)
{
    uint64_t low = word & UINT32_MAX;
    if (w->from == w->to)
        return word;
    if (word >> 32 == w->from->stacks >> 32)
        return low | w->to->stacks >> 32 << 32;
    return word >> 32 == w->from->arena >> 32 ? low | w->to->arena >> 32 << 32 : word;
}

static void put_words(struct writer *w, const void *from, size_t count, int thread)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t word;
        memcpy(&word, (const uint8_t *)from + i * PROVE_WORD, PROVE_WORD);
        word = word ? translate(w, word) : 0;
        if (thread < 0) {
            PROVE_PUT(w->form->shared, &word, PROVE_WORD);
        } else {
            word = translate_litter(w, translate_rest(w, word));
            PROVE_PUT(w->form->threads[thread], &word, PROVE_WORD);
        }
    }
}

static void put_line(struct writer *w, uint64_t address, const uint64_t *words)
{
    for (unsigned i = 0; i < PROVE_LINE / PROVE_WORD; i++) {
        unsigned user = prove_user_of(address + i * PROVE_WORD);
        w->source = user ? ROOT_OWN_GLOBALS + user - 1 : ROOT_GLOBALS;
        put_words(w, words + i, 1, -1);
    }
}

static void write_globals(struct writer *w)
{
    const struct prove_program *p = &prove.program;
    size_t at = w->form->shared.len;
    uint32_t count = 0;
    PROVE_PUT(w->form->shared, &count, sizeof count);
    for (size_t i = 0; i < prove_hot_lines.len; i++) {
        uint32_t line = prove_hot_lines.data[i];
        size_t offset = (size_t)line * PROVE_LINE;
        if (!prove_line_is_always(line) &&
            !memcmp(p->globals + offset, p->globals_start + offset, PROVE_LINE))
            continue;
        count++;
        PROVE_PUT(w->form->shared, &line, sizeof line);
        uint64_t words[PROVE_LINE / PROVE_WORD];
        memcpy(words, p->globals + offset, PROVE_LINE);
        if (!prove.is_concrete)
            prove_counters_forget((uint64_t)p->globals + offset, words, PROVE_LINE / PROVE_WORD,
                                  dead_word(w->to));
        put_line(w, (uint64_t)p->globals + offset, words);
    }
    memcpy(w->form->shared.data + at, &count, sizeof count);
}

/* Memory that was never written has no value. */
static void write_content(struct writer *w, const struct prove_block *b)
{
    const uint8_t *shadow = prove_shadow(b->address);
    for (uint32_t at = 0; at < b->size; at += PROVE_WORD) {
        uint32_t size = b->size - at < PROVE_WORD ? b->size - at : PROVE_WORD;
        uint8_t written = 0;
        uint64_t word = 0;
        for (uint32_t i = 0; i < size; i++)
            written |= (uint8_t)(shadow[at + i] << i);
        memcpy(&word, (const uint8_t *)b->address + at, size);
        for (uint32_t i = 0; i < PROVE_WORD; i++)
            if (!(written >> i & 1))
                word &= ~(UINT64_C(0xff) << 8 * i);
        word = word ? translate(w, word) : 0;
        PROVE_PUT(w->form->shared, &written, 1);
        PROVE_PUT(w->form->shared, &word, PROVE_WORD);
    }
}

static void write_blocks(struct writer *w)
{
    for (uint32_t n = 0; n < w->reached; n++) {
        const struct prove_block *b = &prove.state.blocks[w->queue[n]];
        uint8_t bits = (uint8_t)(b->freed | b->is_aligned << 1);
        PROVE_PUT(w->form->shared, &b->size, sizeof b->size);
        PROVE_PUT(w->form->shared, &bits, 1);
        w->source = ROOTS + w->queue[n];
        if (!b->freed)
            write_content(w, b);
    }
}

/* How many arguments the hook has. */
static unsigned arguments_of(uint64_t hook)
{
    if (hook == PROVE_RETURNED)
        return 1;
    switch (prove_kind(hook)) {
    case PROVE_READ:
    case PROVE_WRITE:
    case PROVE_LOAD:
    case PROVE_FENCE:
    case PROVE_MALLOC:
    case PROVE_FREE:
    case PROVE_LOCK:
    case PROVE_TRYLOCK:
    case PROVE_UNLOCK:
    case PROVE_LOCK_DESTROY:
    case PROVE_COND_SIGNAL:
    case PROVE_COND_BROADCAST:
    case PROVE_COND_DESTROY: return 1;
    case PROVE_READ_RANGE:
    case PROVE_WRITE_RANGE:
    case PROVE_LOCK_INIT:
    case PROVE_COND_WAIT:
    case PROVE_COND_WAIT_CXX:
    case PROVE_COND_WAITING:
    case PROVE_COND_WOKEN:
    case PROVE_CLOCK:
    case PROVE_CALLOC:
    case PROVE_ALIGNED: return 2;
    case PROVE_COND_INIT: return hook & 7 ? 1 : 2;
    case PROVE_YIELD:
    case PROVE_ABORT: return 0;
    case PROVE_STORE: return prove_size(hook) == 16 ? 4 : 3; /* the order, too */
    case PROVE_COPY:
    case PROVE_FILL: return 3;
    case PROVE_CAS: return prove_size(hook) == 16 ? 4 : 3;
    case PROVE_CAS_LOADED:
    case PROVE_CAS_FAILED: return 4;
    case PROVE_CAS_VALUE: return prove_size(hook) == 16 ? 5 : 3;
    case PROVE_ASSERT: return 4;
    default: return prove_size(hook) == 16 ? 3 : 2; /* atomic updates */
    }
}

/* Bits above its size of an argument are whatever the compiler left there. */
static uint64_t cut_argument(const struct prove_registers *r, unsigned i)
{
    unsigned kind = prove_kind(r->hook), size = prove_size(r->hook);
    bool by_address = kind == PROVE_CAS || kind == PROVE_CAS_LOADED || kind == PROVE_CAS_FAILED;
    bool is_value = (by_address || (kind >= PROVE_STORE && kind <= PROVE_CAS_VALUE)) && i > by_address;
    return is_value && size < PROVE_WORD ? r->arguments[i] & ((UINT64_C(1) << 8 * size) - 1)
                                         : r->arguments[i];
}

static void write_stack(struct writer *w, unsigned thread, unsigned place, const struct prove_live *live)
{
    uint64_t sp = prove.state.threads[thread].registers.sp;
    size_t words = (prove_stack_top(thread) - sp) / PROVE_WORD;
    for (size_t i = 0; i < words; i++) {
        uint64_t word = ((const uint64_t *)sp)[i], dead = dead_word(w->to);
        if (!live->parts[2 * i])
            word = (word & ~(uint64_t)UINT32_MAX) | (dead & UINT32_MAX);
        if (!live->parts[2 * i + 1])
            word = (word & UINT32_MAX) | (dead & ~(uint64_t)UINT32_MAX);
        put_words(w, &word, 1, (int)place);
    }
}

static void write_thread(struct writer *w, unsigned thread, unsigned place)
{
    static struct prove_live live;
    const struct prove_thread *t = &prove.state.threads[thread];
    uint8_t head[4] = {t->is_open, t->op, (uint8_t)t->buffer.count};
    w->source = thread;
    PROVE_PUT(w->form->threads[place], head, sizeof head);
    put_words(w, prove.state.tls[thread], (prove.program.tls_size + PROVE_WORD - 1) / PROVE_WORD, (int)place);
    if (!t->is_open)
        return;
    uint64_t words[PROVE_OPEN_WORDS] = {t->registers.hook, t->registers.pc, t->registers.sp};
    w->names->is_all_known &= prove_live_find(thread, &live);
    for (unsigned i = 0; i < PROVE_SAVED_COUNT; i++)
        words[3 + i] = live.registers >> i & 1 ? t->registers.saved[i] : dead_word(w->to);
    for (unsigned i = 0; i < arguments_of(t->registers.hook); i++)
        words[3 + PROVE_SAVED_COUNT + i] = cut_argument(&t->registers, i);
    put_words(w, words, PROVE_OPEN_WORDS, (int)place);
    for (uint32_t i = 0; i < t->buffer.count; i++) {
        const struct prove_store *s = &t->buffer.stores[i];
        const uint64_t store[] = {s->address, s->value, s->size};
        put_words(w, store, sizeof store / sizeof *store, (int)place);
    }
    write_stack(w, thread, place, &live);
}

/* --- owners ---------------------------------------------------------------------------------------------------------------- */

static uint8_t who_has(uint32_t root)
{
    return (uint8_t)(1u << (root < ROOT_OWN_GLOBALS ? root : root - ROOT_OWN_GLOBALS));
}

/* Blocks that one thread alone can reach. */
static void write_owners(struct writer *w)
{
    uint8_t who[PROVE_BLOCKS_MAX] = {0}; /* a bit for each thread, and one for globals of all */
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < w->edges.len; i++) {
            uint32_t source = (uint32_t)(w->edges.data[i] >> 32), block = (uint32_t)w->edges.data[i];
            uint8_t bits = source < ROOTS ? who_has(source) : who[source - ROOTS];
            changed |= (bits & ~who[block]) != 0;
            who[block] |= bits;
        }
    }
    for (uint32_t n = 0; n < w->reached; n++) {
        uint8_t bits = who[w->queue[n]], owner = 0;
        for (uint8_t t = 0; t < prove.threads; t++)
            if (bits == 1u << t)
                owner = (uint8_t)(w->names->place[t] + 1);
        PROVE_PUT(w->form->shared, &owner, 1);
    }
}

/* --- blocks that are too far away --------------------------------------------------------------------------- */

/* A thread that was stopped on its way may hold on to a chain of removed nodes without end. Of what globals do not lead to, only blocks near to threads
 * are kept. Hops from threads; UINT32_MAX: globals lead there. */
static bool find_far_blocks(struct writer *w)
{
    static uint32_t hops[PROVE_BLOCKS_MAX];
    bool any = false;
    for (uint32_t n = 0; n < w->reached; n++)
        hops[w->queue[n]] = PROVE_ANY_DISTANCE;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < w->edges.len; i++) {
            uint32_t source = (uint32_t)(w->edges.data[i] >> 32), block = (uint32_t)w->edges.data[i];
            bool is_global = source >= ROOT_GLOBALS && source < ROOTS;
            uint32_t from = is_global ? UINT32_MAX : source < ROOTS ? 0 : hops[source - ROOTS];
            uint32_t now = from == UINT32_MAX ? UINT32_MAX : from + 1;
            bool is_nearer = hops[block] != UINT32_MAX && (now == UINT32_MAX || now < hops[block]);
            hops[block] = is_nearer ? now : hops[block];
            changed |= is_nearer;
        }
    }
    for (uint32_t n = 0; n < w->reached; n++) {
        uint32_t i = w->queue[n];
        w->left_out[i] = hops[i] != UINT32_MAX && hops[i] > prove.distance;
        any |= w->left_out[i];
    }
    return any;
}

static void begin_form(struct writer *w)
{
    struct prove_form *f = w->form;
    memset(w->items, 0, sizeof w->items);
    w->edges.len = 0;
    w->reached = 0;
    w->outcome = PROVE_FINE;
    w->cursor = prove_first_cursor(w->to);
    w->names->item_count = 0;
    w->names->is_all_known = true;
    memset(w->names->numbers, 0, prove.state.block_count * sizeof *w->names->numbers);
    f->shared.len = 0;
    for (uint8_t t = 0; t < prove.threads; t++)
        f->threads[t].len = 0;
}

static void write_form(struct writer *w)
{
    uint8_t order[PROVE_THREADS_MAX];
    begin_form(w);
    for (uint8_t t = 0; t < prove.threads; t++)
        order[w->names->place[t]] = t;
    write_globals(w);
    for (uint8_t place = 0; place < prove.threads; place++)
        write_thread(w, order[place], place);
    write_blocks(w);
}

enum prove_outcome prove_form_write(struct prove_form *f, struct prove_names *names,
                                    const struct prove_dialect *to)
{
    static struct writer w;
    w.form = f;
    w.names = names;
    w.from = prove.state.dialect;
    w.to = to;
    w.leaves_out = false;
    w.shift = prove_counters_look(w.from, to);
    write_form(&w);
    bool bounds = prove.is_searching && !prove.is_concrete && prove.distance < PROVE_ANY_DISTANCE;
    if (bounds && find_far_blocks(&w)) {
        w.leaves_out = true;
        write_form(&w);
    }
    write_owners(&w);
    PROVE_PUT(f->shared, &w.reached, sizeof w.reached);
    return w.outcome;
}
