/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

unsigned long count = 0xffffffff;

void *add(void *unused)
{
    count++;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    pthread_join(t, 0);
    if (count != 0)
        reach_error();
    return 0;
}
