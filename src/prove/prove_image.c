/* SPDX-License-Identifier: Apache-2.0 */
#include "prove/prove_image.h"

#include "base/check.h"
#include "base/memory.h"

#include <string.h>

uint32_t prove_role_of[PROVE_THREADS_MAX];
bool prove_dead_is_zero;

enum { TAG_SHIFT = 48, OPEN_WORDS = 3 + PROVE_SAVED_COUNT + PROVE_ARGUMENT_COUNT };
#define ADDRESS_MASK ((UINT64_C(1) << TAG_SHIFT) - 1)

/* --- lines of globals that change ------------------------------------------------------------------------------------ */

/* Most never do. Of the others an image has those that differ from the start; lines with addresses of blocks in them at the start
 * always, because blocks move. */
enum line_kind { LINE_COLD, LINE_HOT, LINE_ALWAYS };
static uint8_t *line_kinds;
static VEC(uint32_t) hot_lines;

static void make_hot(uint32_t line, enum line_kind kind)
{
    line_kinds[line] = (uint8_t)kind;
    size_t at = hot_lines.len;
    vec_push(&hot_lines, line);
    for (; at && hot_lines.data[at - 1] > line; at--)
        hot_lines.data[at] = hot_lines.data[at - 1];
    hot_lines.data[at] = line;
}

static bool is_moving(uint64_t word)
{
    word &= ADDRESS_MASK;
    return word - prove_dialects[0].arena < PROVE_ARENA_BYTES ||
           word - PROVE_STACKS < PROVE_THREADS_MAX * PROVE_STACK_BYTES;
}

void prove_globals_begin(void)
{
    const struct prove_program *p = &prove.program;
    uint32_t lines = (uint32_t)(p->globals_size / PROVE_LINE);
    line_kinds = NEW_ZEROED(uint8_t, lines + 1);
    for (uint32_t i = 0; i < lines; i++)
        for (unsigned k = 0; k < PROVE_LINE / PROVE_WORD && !line_kinds[i]; k++)
            if (is_moving(((const uint64_t *)(p->globals_start + (size_t)i * PROVE_LINE))[k]))
                make_hot(i, LINE_ALWAYS);
}

/* Whether or not a hook announced it. */
static void find_changed_lines(void)
{
    const struct prove_program *p = &prove.program;
    enum { CHUNK = 4096 };
    for (size_t at = 0; at < p->globals_size; at += CHUNK) {
        size_t size = p->globals_size - at < CHUNK ? p->globals_size - at : CHUNK;
        if (!memcmp(p->globals + at, p->globals_start + at, size))
            continue;
        for (size_t i = at; i < at + size; i += PROVE_LINE)
            if (!line_kinds[i / PROVE_LINE] && memcmp(p->globals + i, p->globals_start + i, PROVE_LINE) != 0)
                make_hot((uint32_t)(i / PROVE_LINE), LINE_HOT);
    }
}

/* --- names ------------------------------------------------------------------------------------------------------------- */

enum { ROOT_GLOBALS = PROVE_THREADS_MAX, ROOTS };

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
    VEC(uint64_t) edges; /* source << 32 | block */
    enum prove_outcome outcome;
};

static uint64_t first_cursor(const struct prove_dialect *d)
{
    return d->is_reversed ? d->arena + PROVE_ARENA_BYTES / 2 : d->arena + PROVE_LINE;
}

static uint64_t take_room(const struct prove_dialect *d, uint64_t *cursor, uint32_t size)
{
    uint64_t step = prove_room_of(size), at = *cursor;
    if (d->is_reversed)
        return *cursor -= step;
    *cursor += step;
    return at;
}

static void be_unsure(struct writer *w, const char *why)
{
    w->outcome = prove_note(PROVE_UNSURE, "%s", why);
}

static uint64_t move_block_address(struct writer *w, uint64_t word)
{
    const struct prove_block *b = prove_block_at(word & ADDRESS_MASK);
    if (!b) {
        be_unsure(w, "an address is kept that is in no block of memory");
        return word;
    }
    uint32_t i = (uint32_t)(b - prove.state.blocks);
    if (w->leaves_out && w->left_out[i])
        return PROVE_POISON;
    if (!w->names->numbers[i]) {
        w->addresses[i] = take_room(w->to, &w->cursor, b->size);
        w->queue[w->reached++] = i;
        w->names->numbers[i] = w->reached;
    }
    vec_push(&w->edges, (uint64_t)w->source << 32 | i);
    return word - b->address + w->addresses[i];
}

static uint64_t move_stack_address(const struct writer *w, uint64_t word)
{
    unsigned thread = (unsigned)(((word & ADDRESS_MASK) - PROVE_STACKS) / PROVE_STACK_BYTES);
    return word - prove_stack_base(thread) + prove_stack_base(w->names->place[thread]);
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
    return !(word & 7) && word >> TAG_BITS <= UINT32_MAX &&
           prove_item_of(w->from, (uint32_t)(word >> TAG_BITS));
}

static uint64_t translate(struct writer *w, uint64_t word)
{
    uint64_t address = word & ADDRESS_MASK;
    if (address - w->from->arena < PROVE_ARENA_BYTES)
        return move_block_address(w, word);
    if (address - PROVE_STACKS < PROVE_THREADS_MAX * PROVE_STACK_BYTES)
        return move_stack_address(w, word);
    if (prove.program.tls_size && word - (uint64_t)prove.program.tls < prove.program.tls_size &&
        w->source >= PROVE_THREADS_MAX)
        be_unsure(w, "the address of a thread-local variable is given to other threads");
    if (prove.shared->free_values)
        return word;
    if (is_answer(w, word))
        return (uint64_t)rename_item(w, (uint32_t)(word >> 3)) << 3;
    uint64_t low = rename_item(w, (uint32_t)word), high = rename_item(w, (uint32_t)(word >> 32));
    return low | high << 32;
}

/* --- writing ------------------------------------------------------------------------------------------------------------- */

#define PUT(vec, bytes, count)                            \
    do {                                                  \
        vec_reserve(&(vec), (vec).len + (count));         \
        memcpy((vec).data + (vec).len, (bytes), (count)); \
        (vec).len += (count);                             \
    } while (0)

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

static void put_words(struct writer *w, const void *from, size_t count, int thread)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t word;
        memcpy(&word, (const uint8_t *)from + i * PROVE_WORD, PROVE_WORD);
        word = word ? translate(w, word) : 0;
        if (thread < 0) {
            PUT(w->form->shared, &word, PROVE_WORD);
        } else {
            word = translate_litter(w, word);
            PUT(w->form->threads[thread], &word, PROVE_WORD);
        }
    }
}

static void write_globals(struct writer *w)
{
    const struct prove_program *p = &prove.program;
    size_t at = w->form->shared.len;
    uint32_t count = 0;
    PUT(w->form->shared, &count, sizeof count);
    w->source = ROOT_GLOBALS;
    for (size_t i = 0; i < hot_lines.len; i++) {
        uint32_t line = hot_lines.data[i];
        size_t offset = (size_t)line * PROVE_LINE;
        if (line_kinds[line] == LINE_HOT &&
            !memcmp(p->globals + offset, p->globals_start + offset, PROVE_LINE))
            continue;
        count++;
        PUT(w->form->shared, &line, sizeof line);
        put_words(w, p->globals + offset, PROVE_LINE / PROVE_WORD, -1);
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
        PUT(w->form->shared, &written, 1);
        PUT(w->form->shared, &word, PROVE_WORD);
    }
}

static void write_blocks(struct writer *w)
{
    for (uint32_t n = 0; n < w->reached; n++) {
        const struct prove_block *b = &prove.state.blocks[w->queue[n]];
        uint8_t freed = b->freed;
        PUT(w->form->shared, &b->size, sizeof b->size);
        PUT(w->form->shared, &freed, 1);
        w->source = ROOTS + w->queue[n];
        if (!freed)
            write_content(w, b);
    }
}

/* How many arguments the hook has. */
static unsigned arguments_of(uint64_t hook)
{
    switch (prove_kind(hook)) {
    case PROVE_READ:
    case PROVE_WRITE:
    case PROVE_LOAD:
    case PROVE_MALLOC:
    case PROVE_FREE:
    case PROVE_LOCK:
    case PROVE_TRYLOCK:
    case PROVE_UNLOCK:
    case PROVE_LOCK_DESTROY: return 1;
    case PROVE_READ_RANGE:
    case PROVE_WRITE_RANGE:
    case PROVE_LOCK_INIT:
    case PROVE_CALLOC:
    case PROVE_ALIGNED: return 2;
    case PROVE_YIELD:
    case PROVE_ABORT: return 0;
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
    uint8_t head[4] = {t->is_open, t->op};
    w->source = thread;
    PUT(w->form->threads[place], head, sizeof head);
    put_words(w, prove.state.tls[thread], (prove.program.tls_size + PROVE_WORD - 1) / PROVE_WORD, (int)place);
    if (!t->is_open)
        return;
    uint64_t words[OPEN_WORDS] = {t->registers.hook, t->registers.pc, t->registers.sp};
    w->names->is_all_known &= prove_live_find(thread, &live);
    for (unsigned i = 0; i < PROVE_SAVED_COUNT; i++)
        words[3 + i] = live.registers >> i & 1 ? t->registers.saved[i] : dead_word(w->to);
    for (unsigned i = 0; i < arguments_of(t->registers.hook); i++)
        words[3 + PROVE_SAVED_COUNT + i] = cut_argument(&t->registers, i);
    put_words(w, words, OPEN_WORDS, (int)place);
    write_stack(w, thread, place, &live);
}

/* --- owners ---------------------------------------------------------------------------------------------------------------- */

/* Blocks that one thread alone can reach. */
static void write_owners(struct writer *w)
{
    uint8_t who[PROVE_BLOCKS_MAX] = {0}; /* a bit for each root */
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < w->edges.len; i++) {
            uint32_t source = (uint32_t)(w->edges.data[i] >> 32), block = (uint32_t)w->edges.data[i];
            uint8_t bits = source < ROOTS ? (uint8_t)(1u << source) : who[source - ROOTS];
            changed |= (bits & ~who[block]) != 0;
            who[block] |= bits;
        }
    }
    for (uint32_t n = 0; n < w->reached; n++) {
        uint8_t bits = who[w->queue[n]], owner = 0;
        for (uint8_t t = 0; t < prove.threads; t++)
            if (bits == 1u << t)
                owner = (uint8_t)(w->names->place[t] + 1);
        PUT(w->form->shared, &owner, 1);
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
            uint32_t from = source == ROOT_GLOBALS ? UINT32_MAX : source < ROOTS ? 0 : hops[source - ROOTS];
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
    w->cursor = first_cursor(w->to);
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

static enum prove_outcome write_all(struct prove_form *f, struct prove_names *names,
                                    const struct prove_dialect *to)
{
    static struct writer w;
    w.form = f;
    w.names = names;
    w.from = prove.state.dialect;
    w.to = to;
    w.leaves_out = false;
    write_form(&w);
    bool bounds = prove.is_searching && !prove.is_concrete && prove.distance < PROVE_ANY_DISTANCE;
    if (bounds && find_far_blocks(&w)) {
        w.leaves_out = true;
        write_form(&w);
    }
    write_owners(&w);
    PUT(f->shared, &w.reached, sizeof w.reached);
    return w.outcome;
}

enum prove_outcome prove_form_write(struct prove_form *f, struct prove_names *names,
                                    const struct prove_dialect *to)
{
    return write_all(f, names, to);
}

/* --- the one order of threads ------------------------------------------------------------------------------------------------ */

/* What does not depend on names. */
static int compare_threads(unsigned a, unsigned b)
{
    const struct prove_thread *x = &prove.state.threads[a], *y = &prove.state.threads[b];
    const uint64_t of_x[] = {
        prove_role_of[a],  x->is_open,      x->op,
        x->registers.hook, x->registers.pc, x->registers.sp - (x->is_open ? prove_stack_base(a) : 0)};
    const uint64_t of_y[] = {
        prove_role_of[b],  y->is_open,      y->op,
        y->registers.hook, y->registers.pc, y->registers.sp - (y->is_open ? prove_stack_base(b) : 0)};
    for (size_t i = 0; i < sizeof of_x / sizeof *of_x; i++)
        if (of_x[i] != of_y[i])
            return of_x[i] < of_y[i] ? -1 : 1;
    return 0;
}

static int compare_forms(const struct prove_form *a, const struct prove_form *b)
{
    if (a->shared.len != b->shared.len)
        return a->shared.len < b->shared.len ? -1 : 1;
    int less = memcmp(a->shared.data, b->shared.data, a->shared.len);
    for (uint32_t t = 0; t < prove.threads && !less; t++) {
        if (a->threads[t].len != b->threads[t].len)
            return a->threads[t].len < b->threads[t].len ? -1 : 1;
        less = memcmp(a->threads[t].data, b->threads[t].data, a->threads[t].len);
    }
    return less;
}

/* The next order of threads that look the same, in the sense of next_permutation over `order`; false: that was the last. */
static bool next_order(uint8_t *order, const uint8_t *class)
{
    for (unsigned i = prove.threads; i-- > 1;)
        for (unsigned k = prove.threads; k-- > i;) {
            /* the rightmost position i-1 that can be raised within its class */
            if (class[i - 1] != class[k] || order[i - 1] >= order[k])
                continue;
            uint8_t kept = order[i - 1];
            order[i - 1] = order[k];
            order[k] = kept;
            /* the rest of each class ascending */
            for (unsigned a = i; a < prove.threads; a++)
                for (unsigned b = a + 1; b < prove.threads; b++)
                    if (class[a] == class[b] && order[b] < order[a]) {
                        kept = order[a];
                        order[a] = order[b];
                        order[b] = kept;
                    }
            return true;
        }
    return false;
}

static void sort_threads(uint8_t *order, uint8_t *class)
{
    bool swaps = !prove.shared->question.no_symmetry && !prove.program.knows_threads;
    for (uint8_t t = 0; t < prove.threads; t++) {
        unsigned at = t;
        for (; swaps && at && compare_threads(order[at - 1], t) > 0; at--)
            order[at] = order[at - 1];
        order[at] = t;
    }
    class[0] = 0;
    for (unsigned i = 1; i < prove.threads; i++)
        class[i] = (uint8_t)(class[i - 1] + (!swaps || compare_threads(order[i - 1], order[i]) != 0));
}

static void place_threads(struct prove_names *names, const uint8_t *order)
{
    for (uint8_t i = 0; i < prove.threads; i++)
        names->place[order[i]] = i;
}

enum prove_outcome prove_form_make(struct prove_form *f, struct prove_names *names)
{
    static struct prove_form other;
    static struct prove_names other_names;
    uint8_t order[PROVE_THREADS_MAX], class[PROVE_THREADS_MAX];
    find_changed_lines();
    sort_threads(order, class);
    place_threads(names, order);
    names->is_tied = false;
    enum prove_outcome outcome = write_all(f, names, &prove_dialects[0]);
    while (outcome == PROVE_FINE && next_order(order, class)) {
        place_threads(&other_names, order);
        other_names.is_tied = names->is_tied;
        outcome = write_all(&other, &other_names, &prove_dialects[0]);
        int less = compare_forms(&other, f);
        if (less < 0) {
            struct prove_form kept = *f;
            *f = other;
            other = kept;
            other_names.is_tied = false;
            *names = other_names;
        } else if (less == 0) {
            names->is_tied = true;
        }
    }
    return outcome;
}

/* The owners are the last bytes of a form, before the number of blocks. */
enum prove_outcome prove_run_refresh(uint32_t *numbers)
{
    static struct prove_form form;
    static struct prove_names names;
    struct prove_state *s = &prove.state;
    enum prove_outcome outcome = prove_form_make(&form, &names);
    uint32_t count, kept = 0;
    uint8_t threads[PROVE_THREADS_MAX + 1] = {0};
    if (outcome != PROVE_FINE)
        return outcome;
    memcpy(&count, form.shared.data + form.shared.len - sizeof count, sizeof count);
    const uint8_t *owners = form.shared.data + form.shared.len - sizeof count - count;
    for (uint8_t t = 0; t < prove.threads; t++)
        threads[names.place[t] + 1] = (uint8_t)(t + 1);
    for (uint32_t i = 0; i < s->block_count; i++) {
        /* What nobody frees stays: a run does not rest on our knowing all addresses */
        if (!names.numbers[i] && s->blocks[i].freed)
            continue;
        s->blocks[kept] = s->blocks[i];
        s->blocks[kept].owner = names.numbers[i] ? threads[owners[names.numbers[i] - 1]] : 0;
        numbers[kept++] = names.numbers[i];
    }
    s->block_count = kept;
    return PROVE_FINE;
}

/* --- the other way round ------------------------------------------------------------------------------------------------------ */

struct reader {
    const uint8_t *at;
};

static void take(struct reader *r, void *to, size_t count)
{
    memcpy(to, r->at, count);
    r->at += count;
}

static void read_globals(struct reader *r)
{
    struct prove_program *p = &prove.program;
    uint32_t count, line;
    find_changed_lines();
    for (size_t i = 0; i < hot_lines.len; i++) {
        size_t offset = (size_t)hot_lines.data[i] * PROVE_LINE;
        memcpy(p->globals + offset, p->globals_start + offset, PROVE_LINE);
    }
    take(r, &count, sizeof count);
    for (uint32_t i = 0; i < count; i++) {
        take(r, &line, sizeof line);
        take(r, p->globals + (size_t)line * PROVE_LINE, PROVE_LINE);
    }
}

static void read_content(struct reader *r, const struct prove_block *b)
{
    uint8_t *shadow = prove_shadow(b->address), garbage = prove.state.dialect->garbage;
    for (uint32_t at = 0; at < b->size; at += PROVE_WORD) {
        uint8_t written, word[PROVE_WORD];
        take(r, &written, 1);
        take(r, word, PROVE_WORD);
        for (uint32_t i = 0; i < PROVE_WORD && at + i < b->size; i++) {
            shadow[at + i] = written >> i & 1;
            ((uint8_t *)b->address)[at + i] = shadow[at + i] ? word[i] : garbage;
        }
    }
}

static void read_blocks(struct reader *r, uint32_t count)
{
    struct prove_state *s = &prove.state;
    uint64_t cursor = first_cursor(s->dialect);
    s->block_count = count;
    for (uint32_t n = 0; n < count; n++) {
        struct prove_block *b = &s->blocks[n];
        uint8_t freed;
        *b = (struct prove_block){0};
        take(r, &b->size, sizeof b->size);
        take(r, &freed, 1);
        b->freed = freed;
        b->address = take_room(s->dialect, &cursor, b->size);
        if (!freed)
            read_content(r, b);
    }
    for (uint32_t n = 0; n < count; n++)
        take(r, &s->blocks[n].owner, 1);
    s->next = s->dialect->is_reversed ? first_cursor(s->dialect) + PROVE_LINE : cursor;
}

static void read_thread(struct reader *r, unsigned thread, const uint8_t *end)
{
    struct prove_thread *t = &prove.state.threads[thread];
    uint8_t head[4];
    uint64_t words[OPEN_WORDS];
    *t = (struct prove_thread){0};
    take(r, head, sizeof head);
    take(r, prove.state.tls[thread], (prove.program.tls_size + PROVE_WORD - 1) & ~(size_t)(PROVE_WORD - 1));
    t->is_open = head[0];
    t->op = head[1];
    if (!t->is_open)
        return;
    take(r, words, sizeof words);
    t->registers.hook = words[0];
    t->registers.pc = words[1];
    t->registers.sp = words[2];
    memcpy(t->registers.saved, words + 3, sizeof t->registers.saved);
    memcpy(t->registers.arguments, words + 3 + PROVE_SAVED_COUNT, sizeof t->registers.arguments);
    take(r, (void *)t->registers.sp, (size_t)(end - r->at));
}

void prove_form_read(const struct prove_form *f, const struct prove_dialect *dialect)
{
    struct reader r = {f->shared.data};
    uint32_t blocks;
    prove.state.dialect = dialect;
    memcpy(&blocks, f->shared.data + f->shared.len - sizeof blocks, sizeof blocks);
    read_globals(&r);
    read_blocks(&r, blocks);
    for (uint32_t t = 0; t < prove.threads; t++) {
        struct reader thread = {f->threads[t].data};
        read_thread(&thread, t, f->threads[t].data + f->threads[t].len);
    }
}

bool prove_form_equals(const struct prove_form *a, const struct prove_form *b)
{
    return compare_forms(a, b) == 0;
}

/* Bytes of threads that were never written may differ as litter does. */
static bool is_same_part(const uint8_t *a, const uint8_t *b, size_t length, uint8_t other)
{
    uint8_t litter = prove_dialects[0].litter;
    if (memcmp(a, b, length) == 0)
        return true;
    for (size_t i = 0; i < length; i++)
        if (a[i] != b[i] && !(a[i] == litter && b[i] == other))
            return false;
    return true;
}

bool prove_form_is_same(const struct prove_form *a, const struct prove_form *b,
                        const struct prove_dialect *twin)
{
    bool same = a->shared.len == b->shared.len && memcmp(a->shared.data, b->shared.data, a->shared.len) == 0;
    for (uint32_t t = 0; t < prove.threads && same; t++)
        same = a->threads[t].len == b->threads[t].len &&
               is_same_part(a->threads[t].data, b->threads[t].data, a->threads[t].len, twin->litter);
    return same;
}

bool prove_form_find(const struct prove_form *wanted, struct prove_form *f, struct prove_names *names)
{
    uint8_t order[PROVE_THREADS_MAX], class[PROVE_THREADS_MAX];
    bool same = false;
    sort_threads(order, class);
    do {
        place_threads(names, order);
        same = write_all(f, names, prove_dialects) == PROVE_FINE &&
               prove_form_is_same(wanted, f, prove.state.dialect);
    } while (!same && next_order(order, class));
    return same;
}

void prove_form_free(struct prove_form *f)
{
    vec_free(&f->shared);
    for (unsigned t = 0; t < PROVE_THREADS_MAX; t++)
        vec_free(&f->threads[t]);
}

/* --- kept ------------------------------------------------------------------------------------------------------------------------ */

uint32_t prove_images_add(struct prove_images *x, const struct prove_form *f)
{
    uint32_t tuple[PROVE_THREADS_MAX + 1];
    for (uint32_t t = 0; t < prove.threads; t++)
        tuple[t] = intern_add(&x->parts, f->threads[t].data, f->threads[t].len, NULL);
    tuple[prove.threads] = intern_add(&x->parts, f->shared.data, f->shared.len, NULL);
    return intern_add(&x->tuples, tuple, (prove.threads + 1) * sizeof *tuple, NULL);
}

void prove_images_get(const struct prove_images *x, uint32_t number, struct prove_form *f)
{
    uint32_t tuple[PROVE_THREADS_MAX + 1];
    size_t length;
    memcpy(tuple, intern_get(&x->tuples, number, &length), (prove.threads + 1) * sizeof *tuple);
    for (uint32_t t = 0; t < prove.threads; t++) {
        const uint8_t *bytes = intern_get(&x->parts, tuple[t], &length);
        f->threads[t].len = 0;
        PUT(f->threads[t], bytes, length);
    }
    const uint8_t *bytes = intern_get(&x->parts, tuple[prove.threads], &length);
    f->shared.len = 0;
    PUT(f->shared, bytes, length);
}

size_t prove_images_footprint(const struct prove_images *x)
{
    return intern_footprint(&x->parts) + intern_footprint(&x->tuples);
}

void prove_images_clear(struct prove_images *x)
{
    intern_clear(&x->parts);
    intern_clear(&x->tuples);
}
