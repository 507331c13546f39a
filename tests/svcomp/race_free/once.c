/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

int value;
pthread_once_t once = PTHREAD_ONCE_INIT;

void prepare(void)
{
    value++;
}

void *use(void *unused)
{
    pthread_once(&once, prepare);
    if (value != 1)
        reach_error();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, use, 0);
    pthread_create(&b, 0, use, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
