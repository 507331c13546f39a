/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: owner and thief both take the last element: the owner does not compete for it */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top, bottom = 1;
static atomic_int taken;

static void *owner(void *unused)
{
    (void)unused;
    int b = atomic_load(&bottom) - 1;
    atomic_store(&bottom, b);
    int t = atomic_load(&top);
    if (t > b) {
        atomic_store(&bottom, b + 1);
        return NULL;
    }
    atomic_fetch_add(&taken, 1);
    return NULL;
}

static void *thief(void *unused)
{
    (void)unused;
    int t = atomic_load(&top);
    if (t < atomic_load(&bottom) && atomic_compare_exchange_strong(&top, &t, t + 1))
        atomic_fetch_add(&taken, 1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, owner, NULL);
    pthread_create(&t[1], NULL, thief, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(atomic_load(&taken) == 1);
    return 0;
}
