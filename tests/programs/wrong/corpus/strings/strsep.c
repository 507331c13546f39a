/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: strsep moves a pointer that another thread reads */
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
char text[8] = "a b";
char *rest = text;
char *seen;

static void *one(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    seen = rest;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    strsep(&rest, " ");
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
