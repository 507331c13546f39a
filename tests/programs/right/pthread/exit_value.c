/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <pthread.h>

static int shared;

static void leave(int *result)
{
    *result = 5;
    pthread_exit(result);
}

static void *work(void *arg)
{
    leave(arg);
    shared = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    void *value;
    int result = 0;
    pthread_create(&t, NULL, work, &result);
    pthread_join(t, &value);
    assert(value == &result && result == 5 && shared == 0);
    return 0;
}
