/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a destructor that sets its value again is called again */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_key_t key;
static int rounds;

static void destroy(void *p)
{
    intptr_t left = (intptr_t)p;
    rounds++;
    if (left > 1)
        pthread_setspecific(key, (void *)(left - 1));
}

static void *work(void *arg)
{
    pthread_setspecific(key, arg);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, NULL, work, (void *)3);
    pthread_join(t, NULL);
    assert(rounds == 3);
    return 0;
}
