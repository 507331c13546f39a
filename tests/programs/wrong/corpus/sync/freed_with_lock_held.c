/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated destroy-in-use|misuse|use-after-free|unlock-not-held */
/* mode: all */
/* note: an object frees itself while its own lock is held */
#include <pthread.h>
#include <stdlib.h>

struct object {
    pthread_mutex_t lock;
    int references;
};

static void drop(struct object *o)
{
    pthread_mutex_lock(&o->lock);
    int left = --o->references;
    if (left == 0)
        free(o);
    pthread_mutex_unlock(&o->lock);
}

int main(void)
{
    struct object *o = malloc(sizeof *o);
    pthread_mutex_init(&o->lock, NULL);
    o->references = 1;
    drop(o);
    return 0;
}
