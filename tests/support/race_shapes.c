/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of litmus tests, with accesses that are plain (volatile, so that all of them stay) or atomic relaxed, in three
 * sizes: with races allowed there is nothing between the two. -DSHAPE=N, -DATOMIC. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef ATOMIC
#define SHARED(type) _Atomic type
#define READ(v) atomic_load_explicit(&v, memory_order_relaxed)
#define WRITE(v, value) atomic_store_explicit(&v, value, memory_order_relaxed)
#else
#define SHARED(type) volatile type
#define READ(v) (v)
#define WRITE(v, value) ((v) = (value))
#endif

static SHARED(int) x;
static SHARED(long) y;
static SHARED(char) z;

static long act(long me)
{
    long r = 0;
    switch (me) {
#if SHAPE == 0 /* store buffering */
    case 0:
        WRITE(x, 1);
        r = READ(y);
        break;
    case 1:
        WRITE(y, 1);
        r = READ(x);
        break;
#elif SHAPE == 1 /* message passing */
    case 0:
        WRITE(x, 1);
        WRITE(y, 1);
        break;
    case 1:
        r = READ(y);
        r += 2 * READ(x);
        break;
#elif SHAPE == 2 /* load buffering */
    case 0:
        r = READ(x);
        WRITE(y, 1);
        break;
    case 1:
        r = READ(y);
        WRITE(x, 1);
        break;
#elif SHAPE == 3
    case 0:
        WRITE(x, 1);
        WRITE(z, 2);
        r = READ(y);
        break;
    case 1:
        WRITE(y, 1);
        WRITE(x, 2);
        r = READ(z);
        break;
    case 2:
        r = READ(x);
        r += 4 * READ(y);
        r += 16 * READ(z);
        WRITE(z, 1);
        break;
#elif SHAPE == 4
    case 0:
        WRITE(x, 1);
        WRITE(y, 2);
        r = READ(x);
        break;
    case 1:
        WRITE(y, 1);
        WRITE(x, 2);
        r = READ(y);
        break;
    case 2:
        r = READ(x);
        r += READ(y);
        WRITE(x, (int)r);
        r = READ(x);
        break;
#elif SHAPE == 5 /* lost updates, and a loop that waits */
    case 0:
    case 1:
        for (int i = 0; i < 2; i++) {
            int found = READ(x);
            WRITE(x, found + 1);
        }
        break;
    case 2:
        while (READ(x) == 0)
            continue;
        r = READ(x);
        break;
#endif
    }
    return r;
}

static void *run(void *me)
{
    return (void *)act((long)me);
}

int main(void)
{
    pthread_t threads[3];
    void *result;
    long sum = 0;
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], &result);
        sum = sum * 100 + (long)result;
    }
    sum += READ(x);
    sum += READ(y);
    sum += READ(z);
    assert(sum >= 0);
    return 0;
}
