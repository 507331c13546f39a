/* SPDX-License-Identifier: Apache-2.0 */
/* By number: a bell that rings too early, a plate that is thrown away twice, a plate without food. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct plate {
    atomic_long used;
    long *food;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t served = PTHREAD_COND_INITIALIZER;
static bool ready;
static _Atomic(struct plate *) dirty;

__attribute__((constructor)) static void lay_table(void)
{
    atomic_init(&dirty, calloc(1, sizeof(struct plate)));
}

static void *cook(void *bug)
{
    pthread_mutex_lock(&lock);
    ready = true;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&served);
    return bug;
}

static void wait_for_food(void)
{
    pthread_mutex_lock(&lock);
    bool is_ready = ready;
    pthread_mutex_unlock(&lock);
    if (is_ready)
        return;
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&served, &lock);
    pthread_mutex_unlock(&lock);
}

static void *wash(void *bug)
{
    struct plate *p = atomic_load(&dirty);
    if (p) {
        atomic_store(&dirty, NULL);
        free(p);
    }
    return bug;
}

static void *eat(void *bug)
{
    struct plate *p = atomic_load(&dirty);
    long used = atomic_load(&p->used);
    *p->food = used;
    return bug;
}

int main(void)
{
    static void *(*const threads[])(void *) = {cook, wash, eat};
    pthread_t thread;
    pthread_create(&thread, NULL, threads[BUG], NULL);
    if (BUG == 0)
        wait_for_food();
    else if (BUG == 1)
        wash(NULL);
    pthread_join(thread, NULL);
}
