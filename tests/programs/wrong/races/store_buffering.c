/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --races=allow */
/* sc: holds */
/* note: both threads miss the other's write */
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *first(void *arg)
{
    (void)arg;
    x = 1;
    return y ? NULL : &x;
}

static void *second(void *arg)
{
    (void)arg;
    y = 1;
    return x ? NULL : &x;
}

int main(void)
{
    pthread_t a, b;
    void *missed_y, *missed_x;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, &missed_y);
    pthread_join(b, &missed_x);
    assert(!missed_x || !missed_y);
    return 0;
}
