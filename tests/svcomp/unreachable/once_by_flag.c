/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

atomic_int begun;
int value;

void *prepare(void *unused)
{
    int no = 0;
    if (atomic_compare_exchange_strong(&begun, &no, 1))
        value++;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, prepare, 0);
    pthread_create(&b, 0, prepare, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (value != 1)
        reach_error();
    return 0;
}
