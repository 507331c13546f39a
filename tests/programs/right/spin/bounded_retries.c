/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: ends by itself after three looks: blocking it would be a false deadlock */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int never;

static void *patient(void *arg)
{
    int looks = 0;
    (void)arg;
    while (!atomic_load(&never) && looks < 3)
        looks++;
    assert(looks == 3);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, patient, NULL);
    pthread_join(t, NULL);
    return 0;
}
