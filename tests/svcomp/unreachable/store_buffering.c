/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

int x, y, seen_x, seen_y;

void *first(void *unused)
{
    x = 1;
    seen_y = y;
    return unused;
}

void *second(void *unused)
{
    y = 1;
    seen_x = x;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (!seen_x && !seen_y)
        reach_error();
    return 0;
}
