/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct frame {
    atomic_int lines;
};

static struct frame *_Atomic shown;

static void *draw(void *arg)
{
    struct frame *f = malloc(sizeof *f);
    atomic_store(&shown, f);
    atomic_store(&f->lines, 25);
    return arg;
}

static void *look(void *arg)
{
    struct frame *f = atomic_load(&shown);
    if (f)
        assert(atomic_load(&f->lines) == 25);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, draw, NULL);
    pthread_create(&threads[1], NULL, look, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
