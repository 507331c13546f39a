/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/share.h"
#include "worker/divide.h"

#include "engine/error/findings.h"
#include "engine/shared/work_pool.h"
#include "explore/graphs_sharing.h"
#include "worker/tables/tables.h"
#include "worker/harness/harness.h"
#include "worker/ledger.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SPINS_BEFORE_SLEEP = 2000, BEAT_SECONDS = 1 };

#define LOAD(word) __atomic_load_n(&(word), __ATOMIC_SEQ_CST)
#define STORE(word, value) __atomic_store_n(&(word), value, __ATOMIC_SEQ_CST)
#define ADD(word, value) __atomic_add_fetch(&(word), value, __ATOMIC_SEQ_CST)

static bool change(uint32_t *word, uint32_t from, uint32_t to)
{
    return __sync_bool_compare_and_swap(word, from, to);
}

/* Sleeps while the word has the value, a second at most: a worker that waits shows that it lives. */
static void sleep_on(struct share *s, uint32_t *word, uint32_t value)
{
    const struct timespec beat = {.tv_sec = BEAT_SECONDS};
    syscall(SYS_futex, word, FUTEX_WAIT, value, &beat, NULL, 0);
    s->shared->beats++;
}

static void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    __asm__ volatile("yield" ::: "memory");
#endif
}

static void wake(uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

static void ring(struct pool_box *box)
{
    ADD(box->bell, 1);
    wake(&box->bell);
}

void share_ring_all(struct pool *p)
{
    for (uint32_t k = 0; k < p->workers; k++)
        ring(&p->boxes[k]);
}

/* --- joining ---------------------------------------------------------------------------------------- */

struct pool *share_map(const struct worker_config *config)
{
    if (!config->pool_size)
        return NULL;
    int fd = (int)config->pool_descriptor;
    void *memory = mmap(NULL, config->pool_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    close(fd);
    if (memory == MAP_FAILED)
        _exit(70);
    return memory;
}

/* Others cannot go by what this worker's addresses mean. */
static bool has_same_layout(struct share *s, uint64_t layout)
{
    struct pool *p = s->pool;
    if (s->self == 0 && !LOAD(p->layout_known)) {
        p->layout = layout;
        STORE(p->layout_known, 1);
        wake(&p->layout_known);
    }
    while (!LOAD(p->layout_known))
        sleep_on(s, &p->layout_known, 0);
    return p->layout == layout;
}

static void learn_objects(struct share *s)
{
    for (uint32_t k = 0; k < s->pool->object_count; k++)
        if (s->pool->objects[k].known)
            explore_graphs_no_mutex(s->explorer, s->pool->objects[k].address);
    s->objects_published = explore_graphs_object_changes(s->explorer);
}

static void become_hungry(struct share *s)
{
    struct pool *p = s->pool;
    if (ADD(p->hungry, 1) == p->workers && change(&p->over, POOL_GOES_ON, POOL_DONE))
        share_ring_all(p);
}

bool share_join(struct share *s, struct pool *pool, struct worker_shared *shared, struct explorer *explorer,
                uint64_t layout)
{
    *s = (struct share){.pool = pool, .self = shared->config.worker, .shared = shared, .explorer = explorer};
    s->begins = !pool || (s->self == 0 && !pool->resumes);
    if (!pool)
        return true;
    if (!has_same_layout(s, layout)) {
        if (pool->resumes)
            harness_refuse("the checkpoint cannot be continued: the program's first execution is another one "
                           "than it was, or has other addresses");
        pool->boxes[s->self].absent = 1;
        ADD(pool->absent, 1);
        become_hungry(s); /* forever: its box is closed */
        return false;
    }
    if (s->begins)
        return true;
    explore_graphs_drop(explorer);
    learn_objects(s);
    const struct pool_box *box = &pool->boxes[s->self];
    if (pool->resumes && !explore_graphs_take(explorer, pool_save(pool, s->self), box->saved_size))
        harness_refuse("the checkpoint is damaged");
    return true;
}

/* --- beginning again -------------------------------------------------------------------------------- */

static void take_lock(struct share *s)
{
    while (!change(&s->pool->lock, 0, 1))
        sleep_on(s, &s->pool->lock, 1);
}

static void leave_lock(struct share *s)
{
    STORE(s->pool->lock, 0);
    wake(&s->pool->lock);
}

static struct pool_object *find_object(struct pool *p, uint64_t address)
{
    for (uint32_t k = 0; k < p->object_count; k++)
        if (p->objects[k].address == address)
            return &p->objects[k];
    if (p->object_count == POOL_OBJECTS)
        return NULL;
    struct pool_object *o = &p->objects[p->object_count++];
    o->address = address;
    return o;
}

/* True: by what this worker knows, together with the others, an object is not the mutex that it was taken for. */
static bool merge_object(struct pool *p, const struct graphs_object *mine)
{
    struct pool_object *o = find_object(p, mine->address);
    if (!o) {
        p->objects_lost = 1;
        return false;
    }
    o->locked |= mine->locked;
    o->no_mutex |= mine->no_mutex;
    if (!o->locked || !o->no_mutex || o->known)
        return false;
    o->known = 1;
    return true;
}

static void drop_work(struct share *s)
{
    s->pool->pieces = (struct pool_pieces){0};
    explore_graphs_drop(s->explorer);
    learn_objects(s);
    s->epoch = LOAD(s->pool->epoch);
    s->learnt_published = s->learnt_heard = 0;
    s->shared->executions = s->shared->complete = s->shared->blocked = s->shared->folded = s->shared->cut = 0;
    s->shared->refuted = 0;
    ledger_count(0, 0, 0);
    s->shared->revisits = s->shared->steps = 0;
    findings_recount(s->shared);
    tables_recount(s->shared);
}

/* The worker that finds out begins again; all others drop what there is. */
static void publish_objects(struct share *s)
{
    struct pool *p = s->pool;
    struct graphs_object mine;
    bool again = false;
    take_lock(s);
    for (size_t next = 0; explore_graphs_next_object(s->explorer, &next, &mine);)
        again |= merge_object(p, &mine);
    if (again && p->is_part) {
        s->shared->limits |= LIMIT_PART;
        STORE(p->over, POOL_GIVEN_UP);
        share_ring_all(p);
    } else if (again) {
        ADD(p->epoch, 1);
        STORE(p->learnt_count, 0);
        STORE(p->budget, (int64_t)p->executions_max);
        drop_work(s);
        explore_graphs_begin_again(s->explorer);
    }
    s->objects_published = explore_graphs_object_changes(s->explorer);
    leave_lock(s);
    if (p->objects_lost) {
        s->shared->limits |= LIMIT_UNSUPPORTED;
        strcpy(s->shared->unsupported, "so many locks in an exploration that is shared or saved");
    }
}

static void follow_epoch(struct share *s)
{
    if (LOAD(s->pool->epoch) == s->epoch)
        return;
    take_lock(s);
    drop_work(s);
    leave_lock(s);
}

/* --- loops that wait -------------------------------------------------------------------------------- */

static void publish_learnt(struct share *s, const uint64_t *histories, size_t count)
{
    struct pool *p = s->pool;
    take_lock(s);
    uint32_t published = p->learnt_count;
    bool current = LOAD(p->epoch) == s->epoch; /* else it may be a round no longer */
    while (current && s->learnt_published < count && published < POOL_LEARNT)
        p->learnt[published++] = histories[s->learnt_published++];
    STORE(p->learnt_count, published);
    leave_lock(s);
    s->learnt_published = count;
}

static void exchange_learnt(struct share *s)
{
    const uint64_t *histories;
    size_t count = explore_graphs_learnt(s->explorer, &histories);
    if (count != s->learnt_published)
        publish_learnt(s, histories, count);
    while (s->learnt_heard < LOAD(s->pool->learnt_count))
        explore_graphs_learn(s->explorer, s->pool->learnt[s->learnt_heard++]);
}

/* --- saving ----------------------------------------------------------------------------------------- */

static void save_all(struct share *s)
{
    struct pool_box *box = &s->pool->boxes[s->self];
    const void *bytes;
    size_t size = explore_graphs_save(s->explorer, &bytes);
    bool fits = size <= POOL_SAVE_ROOM;
    if (fits && size > 0)
        memcpy(pool_save(s->pool, s->self), bytes, size);
    box->saved_size = fits ? size : POOL_TOO_LARGE;
    box->saved_epoch = s->epoch;
}

static void save_and_wait(struct share *s)
{
    struct pool *p = s->pool;
    s->saved = LOAD(p->save_wanted);
    save_all(s);
    ADD(p->save_count, 1);
    wake(&p->save_count);
    for (uint32_t released; (released = LOAD(p->save_released)) != s->saved;)
        sleep_on(s, &p->save_released, released);
}

/* --- giving and taking ------------------------------------------------------------------------------ */

static struct pool_box *claim_box(struct pool *p)
{
    for (uint32_t k = 0; k < p->workers; k++)
        if (LOAD(p->boxes[k].state) == BOX_HUNGRY && change(&p->boxes[k].state, BOX_HUNGRY, BOX_CLAIMED)) {
            ADD(p->hungry, -1u);
            return &p->boxes[k];
        }
    return NULL;
}

static void unclaim(struct pool *p, struct pool_box *box)
{
    ADD(p->hungry, 1); /* never all: the caller is not */
    STORE(box->state, BOX_HUNGRY);
    ring(box);
}

static void give(struct share *s)
{
    if (s->gives_nothing || explore_graphs_left(s->explorer) < 2)
        return;
    struct pool_box *box = claim_box(s->pool);
    if (!box)
        return;
    const void *bytes;
    size_t size = explore_graphs_give(s->explorer, &bytes);
    if (size > POOL_GIFT_ROOM) {
        s->gives_nothing = true;
        explore_graphs_take(s->explorer, bytes, size);
    }
    if (size == 0 || size > POOL_GIFT_ROOM) {
        unclaim(s->pool, box);
        return;
    }
    memcpy(pool_gift(s->pool, (uint32_t)(box - s->pool->boxes)), bytes, size);
    box->gift_size = size;
    box->gift_epoch = s->epoch;
    STORE(box->state, BOX_FULL);
    ring(box);
}

/* For a worker that has work. All is done when all are hungry, and this one is not; whatever ends it early is a limit. */
static bool is_over(struct share *s)
{
    uint32_t over = LOAD(s->pool->over);
    if (over == POOL_DONE || over > POOL_GIVEN_UP || (over == POOL_DIVIDED && !s->pool->pieces_wanted))
        ledger_refuse(s->shared, "what the workers share");
    s->shared->limits |= over == POOL_BOUNDED ? LIMIT_EXECUTIONS : over == POOL_GIVEN_UP ? LIMIT_PART : 0;
    return over != POOL_GOES_ON;
}

bool share_attend(struct share *s)
{
    struct pool *p = s->pool;
    if (!p)
        return true;
    if (explore_graphs_object_changes(s->explorer) != s->objects_published)
        publish_objects(s);
    follow_epoch(s);
    exchange_learnt(s);
    if (is_over(s))
        return false;
    if (explore_graphs_begins_again(s->explorer))
        return true;
    if (LOAD(p->save_wanted) != s->saved)
        save_and_wait(s);
    if (p->pieces_wanted)
        return divide(s);
    if (LOAD(p->hungry))
        give(s);
    return true;
}

/* False: it is of an exploration that was given up. */
static bool take_gift(struct share *s)
{
    struct pool *p = s->pool;
    struct pool_box *box = &p->boxes[s->self];
    follow_epoch(s);
    exchange_learnt(s);
    bool current = box->gift_epoch == s->epoch;
    if (current && !explore_graphs_take(s->explorer, pool_gift(p, s->self), box->gift_size))
        harness_refuse("work of another worker cannot be read");
    STORE(box->state, BOX_CLOSED);
    return current;
}

/* Waits with an open box until it is full (true) or all is over. */
static bool wait_for_gift(struct share *s)
{
    struct pool *p = s->pool;
    struct pool_box *box = &p->boxes[s->self];
    for (uint32_t spins = 0;; spins++) {
        uint32_t bell = LOAD(box->bell), state = LOAD(box->state);
        if (state == BOX_FULL)
            return true;
        bool over = LOAD(p->over), saves = LOAD(p->save_wanted) != s->saved;
        if ((over || saves) && change(&box->state, BOX_HUNGRY, BOX_CLOSED)) {
            if (over)
                return false;
            save_and_wait(s);
            STORE(box->state, BOX_HUNGRY);
        } else if (spins > SPINS_BEFORE_SLEEP) {
            sleep_on(s, &box->bell, bell);
        } else {
            pause_briefly();
        }
    }
}

bool share_wait(struct share *s)
{
    struct pool *p = s->pool;
    if (!p || is_over(s))
        return false;
    if (s->self == 0 && p->pieces_wanted && divide_again(s))
        return true;
    do {
        STORE(p->boxes[s->self].state, BOX_HUNGRY);
        become_hungry(s);
        if (!wait_for_gift(s)) {
            follow_epoch(s);
            return false;
        }
    } while (!take_gift(s));
    return true;
}

/* --- as many executions as asked for ---------------------------------------------------------------- */

static bool begin(struct share *s)
{
    return s->explorer->class->begin(s->explorer);
}

bool share_begin(struct share *s)
{
    struct pool *p = s->pool;
    if (!p || !p->executions_max)
        return begin(s);
    if (ADD(p->budget, -1) >= 0) {
        if (begin(s))
            return true;
        share_uncount(s);
        return false;
    }
    share_uncount(s);
    if (p->has_saves)
        save_all(s); /* whatever `begin` takes is still to be done */
    if (!begin(s))
        return false;
    s->has_saved_all = true;
    s->shared->limits |= LIMIT_EXECUTIONS;
    STORE(p->over, POOL_BOUNDED);
    share_ring_all(p);
    return false;
}

void share_uncount(struct share *s)
{
    if (s->pool && s->pool->executions_max)
        ADD(s->pool->budget, 1);
}

void share_leave(struct share *s)
{
    if (s->pool && !s->pool->pieces_wanted && s->pool->has_saves && !s->has_saved_all)
        save_all(s);
}
