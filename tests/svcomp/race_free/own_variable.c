/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

_Thread_local int own;

void *count(void *unused)
{
    own++;
    own++;
    if (own != 2)
        reach_error();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, count, 0);
    pthread_create(&b, 0, count, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (own != 0)
        reach_error();
    return 0;
}
