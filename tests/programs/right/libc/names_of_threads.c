/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* named: other answers of pthread_getname_np */
/* note: a thread has the name that it was given */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

static void *work(void *name)
{
    char found[16];
    pthread_setname_np(pthread_self(), name);
    assert(pthread_getname_np(pthread_self(), found, sizeof found) == 0);
    assert(strcmp(found, name) == 0);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    assert(pthread_setname_np(pthread_self(), "a name that is too long") == ERANGE);
    pthread_create(&one, NULL, work, "one");
    pthread_create(&two, NULL, work, "two");
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
