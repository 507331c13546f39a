/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

int result;

void *compute(void *unused)
{
    result = 7;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, compute, 0);
    pthread_join(t, 0);
    if (result != 7)
        reach_error();
    return 0;
}
