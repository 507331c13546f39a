/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

int wants[2], inside;

void *first(void *unused)
{
    wants[0] = 1;
    if (!wants[1]) {
        inside++;
        if (inside != 1)
            reach_error();
        inside--;
    }
    return unused;
}

void *second(void *unused)
{
    wants[1] = 1;
    if (!wants[0]) {
        inside++;
        if (inside != 1)
            reach_error();
        inside--;
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
