/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

int held, inside;

void *enter(void *unused)
{
    if (!held) {
        held = 1;
        inside++;
        if (inside != 1)
            reach_error();
        inside--;
        held = 0;
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, enter, 0);
    pthread_create(&b, 0, enter, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
