/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* sc: holds */
/* tso: holds */
/* mode: all */
/* flags-plumb: --volatile=relaxed */
/* note: the flag is as good as relaxed, which is not good enough for what it stands for */
#include <pthread.h>

volatile int ready;
int value;

static void *write_it(void *arg)
{
    value = 7;
    ready = 1;
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, write_it, NULL);
    int found = ready ? value : 7;
    pthread_join(a, NULL);
    return found != 7;
}
