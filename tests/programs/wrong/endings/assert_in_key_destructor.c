/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void destroy(void *p)
{
    assert(*(int *)p == 0);
}

static void *work(void *arg)
{
    pthread_setspecific(key, arg);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int value = 1;
    pthread_key_create(&key, destroy);
    pthread_create(&t, NULL, work, &value);
    pthread_join(t, NULL);
    return 0;
}
