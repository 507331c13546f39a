/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --races=allow */
/* note: what is a thread's own stays so, whoever writes it */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static _Thread_local long mine;

static void *work(void *arg)
{
    char *end;
    mine += (long)arg;
    errno = 0;
    assert(strtol("99999999999999999999999", &end, 10) > 0 && errno == ERANGE && *end == 0);
    errno = 0;
    assert(strtol("12", &end, 10) == 12 && errno == 0);
    assert(mine == (long)arg);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)1);
    pthread_create(&b, NULL, work, (void *)2);
    work((void *)3);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
