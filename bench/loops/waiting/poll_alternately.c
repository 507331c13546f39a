/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: one thread polls two mailboxes in turn until both have brought something */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int boxes[2];

static void *post(void *arg)
{
    atomic_int *box = arg;
    atomic_store_explicit(box, (int)(box - boxes) + 1, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    int sum = 0, found = 0;
    pthread_create(&one, NULL, post, &boxes[0]);
    pthread_create(&two, NULL, post, &boxes[1]);
    for (int next = 0; found < 2; next ^= 1) {
        int v = atomic_exchange_explicit(&boxes[next], 0, memory_order_acquire);
        if (v) {
            sum += v;
            found++;
        }
    }
    assert(sum == 3);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
