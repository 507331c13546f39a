/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: a getter without effects is called and its answer ignored: the call goes, and the race with it */
#include <pthread.h>
#include <stdatomic.h>

static int length;
static atomic_int closed;

static __attribute__((noinline)) int get_length(void)
{
    return length;
}

static void *writer(void *unused)
{
    (void)unused;
    length = 3;
    atomic_store(&closed, 1);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    get_length();
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
