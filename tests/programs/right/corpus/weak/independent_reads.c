/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r[4];
enum { LOAD = memory_order_seq_cst };

static void *write_x(void *unused)
{
    (void)unused;
    atomic_store(&x, 1);
    return NULL;
}

static void *write_y(void *unused)
{
    (void)unused;
    atomic_store(&y, 1);
    return NULL;
}

static void *read_xy(void *unused)
{
    (void)unused;
    r[0] = atomic_load_explicit(&x, LOAD);
    r[1] = atomic_load_explicit(&y, LOAD);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, write_x, NULL);
    pthread_create(&t[1], NULL, write_y, NULL);
    pthread_create(&t[2], NULL, read_xy, NULL);
    r[2] = atomic_load_explicit(&y, LOAD);
    r[3] = atomic_load_explicit(&x, LOAD);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(!(r[0] && !r[1] && r[2] && !r[3]));
    return 0;
}
