/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

int counter_add(void);

void *add(void *unused)
{
    return counter_add() ? unused : 0;
}

int counter_value(void);

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (counter_value() != 2)
        reach_error();
    return 0;
}
