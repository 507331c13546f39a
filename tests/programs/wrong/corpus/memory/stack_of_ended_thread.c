/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return|use-after-free */
/* mode: all */
/* note: the thread returns the address of a variable on its own stack */
#include <pthread.h>
#include <stdlib.h>

int seen;

static void *compute(void *unused)
{
    (void)unused;
    int result = 42;
    int *volatile address = &result;
    return address;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, compute, NULL);
    pthread_join(t, &result);
    seen = *(int *)result;
    return 0;
}
