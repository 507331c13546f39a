/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: dfs */
/* note: what a compare-and-exchange expects is read by it */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int expected;

static void *exchange(void *arg)
{
    atomic_compare_exchange_strong(&lock, &expected, 3);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, exchange, 0);
    expected = 1;
    pthread_join(t, 0);
    return 0;
}
