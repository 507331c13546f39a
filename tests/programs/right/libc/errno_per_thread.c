/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int turn;

static void *range(void *arg)
{
    (void)arg;
    errno = 0;
    strtol("99999999999999999999999", NULL, 10);
    atomic_fetch_add(&turn, 1);
    assert(errno == ERANGE);
    return NULL;
}

static void *missing(void *arg)
{
    (void)arg;
    assert(open("/nonexistent/file", O_RDONLY) == -1);
    atomic_fetch_add(&turn, 1);
    assert(errno == ENOENT);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    errno = EDOM;
    pthread_create(&a, NULL, range, NULL);
    pthread_create(&b, NULL, missing, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(errno == EDOM);
    return 0;
}
