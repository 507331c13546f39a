/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/product/product.h"

#include "base/check.h"
#include "base/memory.h"

#include <pthread.h>

struct worker {
    struct workers *workers;
    uint32_t number;
    pthread_t thread;
};

struct workers {
    const struct expand_settings *settings;
    struct workers_batch batches[2];
    struct worker *workers;
    uint32_t worker_count;
    pthread_mutex_t lock;
    pthread_cond_t begun, done;
    /* Under the lock: */
    struct workers_batch *current;
    uint64_t round;  /* of batches that were started */
    uint32_t active; /* workers that are not done with it */
    bool quits;
};

static void expand_slice(const struct workers *c, struct workers_batch *b, uint32_t slice)
{
    size_t size = c->settings->system->state_size;
    uint32_t from = b->count * slice / b->slices, to = b->count * (slice + 1) / b->slices;
    expander_clear(&b->expanders[slice]);
    for (uint32_t i = from; i < to; i++)
        expand_node(&b->expanders[slice], b->nodes[i], b->states + i * size, b->gaps ? &b->gaps[i] : NULL);
}

static void *work(void *argument)
{
    struct worker *w = argument;
    struct workers *c = w->workers;
    uint64_t seen = 0;
    pthread_mutex_lock(&c->lock);
    for (;;) {
        while (c->round == seen && !c->quits)
            pthread_cond_wait(&c->begun, &c->lock);
        if (c->quits)
            break;
        seen = c->round;
        struct workers_batch *b = c->current;
        pthread_mutex_unlock(&c->lock);
        expand_slice(c, b, w->number);
        pthread_mutex_lock(&c->lock);
        if (--c->active == 0)
            pthread_cond_signal(&c->done);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static void init_batch(struct workers *c, struct workers_batch *b, uint32_t size)
{
    b->nodes = NEW_ARRAY(uint32_t, size);
    b->states = NEW_ARRAY(uint8_t, size * (size_t)c->settings->system->state_size + 1);
    b->gaps = c->settings->machine->names == MACHINE_BY_RANK ? NEW_ARRAY(struct expand_gaps, size) : NULL;
    b->slices = c->worker_count ? c->worker_count : 1;
    b->expanders = NEW_ARRAY(struct expander, b->slices);
    for (uint32_t i = 0; i < b->slices; i++)
        expander_init(&b->expanders[i], c->settings);
}

struct workers *workers_new(const struct expand_settings *settings, uint32_t jobs, uint32_t batch_size)
{
    struct workers *c = NEW(struct workers);
    c->settings = settings;
    c->worker_count = jobs > 1 ? jobs - 1 : 0;
    init_batch(c, &c->batches[0], batch_size);
    init_batch(c, &c->batches[1], batch_size);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->begun, NULL);
    pthread_cond_init(&c->done, NULL);
    c->workers = NEW_ZEROED(struct worker, c->worker_count + 1);
    for (uint32_t i = 0; i < c->worker_count; i++) {
        c->workers[i] = (struct worker){.workers = c, .number = i};
        if (pthread_create(&c->workers[i].thread, NULL, work, &c->workers[i]) != 0)
            base_out_of_memory();
    }
    return c;
}

static void free_batch(struct workers_batch *b)
{
    for (uint32_t i = 0; i < b->slices; i++)
        expander_free(&b->expanders[i]);
    free(b->expanders);
    free(b->nodes);
    free(b->states);
    free(b->gaps);
}

void workers_free(struct workers *c)
{
    workers_finish(c);
    pthread_mutex_lock(&c->lock);
    c->quits = true;
    pthread_cond_broadcast(&c->begun);
    pthread_mutex_unlock(&c->lock);
    for (uint32_t i = 0; i < c->worker_count; i++)
        pthread_join(c->workers[i].thread, NULL);
    pthread_cond_destroy(&c->begun);
    pthread_cond_destroy(&c->done);
    pthread_mutex_destroy(&c->lock);
    free_batch(&c->batches[0]);
    free_batch(&c->batches[1]);
    free(c->workers);
    free(c);
}

struct workers_batch *workers_batch(struct workers *c, unsigned which)
{
    return &c->batches[which];
}

void workers_start(struct workers *c, struct workers_batch *b)
{
    if (!c->worker_count) {
        expand_slice(c, b, 0);
        return;
    }
    pthread_mutex_lock(&c->lock);
    c->current = b;
    c->active = c->worker_count;
    c->round++;
    pthread_cond_broadcast(&c->begun);
    pthread_mutex_unlock(&c->lock);
}

void workers_finish(struct workers *c)
{
    pthread_mutex_lock(&c->lock);
    while (c->active)
        pthread_cond_wait(&c->done, &c->lock);
    pthread_mutex_unlock(&c->lock);
}
