/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* known-gcc: holds */
/* flags-plumb: -v */
/* named-gcc: bounds and lifetimes of variables */
/* note: a thread writes behind an array on the stack of main */
#include <pthread.h>

static void fill(int *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = i;
}

static void *run(void *slots)
{
    fill(slots, 9);
    return NULL;
}

int main(void)
{
    int slots[8] = {0};
    pthread_t t;
    pthread_create(&t, NULL, run, slots);
    pthread_join(t, NULL);
    return slots[0];
}
