/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: three philosophers, the lower fork first: no cycle */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};
static int uses[3];

static void *dine(void *arg)
{
    int a = (int)(intptr_t)arg, b = (a + 1) % 3;
    int low = a < b ? a : b, high = a < b ? b : a;
    pthread_mutex_lock(&forks[low]);
    pthread_mutex_lock(&forks[high]);
    uses[low]++;
    uses[high]++;
    pthread_mutex_unlock(&forks[high]);
    pthread_mutex_unlock(&forks[low]);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, dine, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(uses[0] == 2 && uses[1] == 2 && uses[2] == 2);
    return 0;
}
