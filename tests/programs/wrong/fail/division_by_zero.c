/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated undefined */
/* machine: x86-64 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count = 1;
int average;

static void *leave(void *arg)
{
    (void)arg;
    atomic_fetch_sub(&count, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, leave, NULL);
    average = 100 / atomic_load(&count);
    pthread_join(t, NULL);
    return 0;
}
