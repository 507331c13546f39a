/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* flags: -D_GNU_SOURCE */
/* note: asprintf reads a name that another thread writes */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
char user[8] = "ann";

static void *one(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    user[0] = 'b';
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    char *text;
    if (asprintf(&text, "user %s", user) > 0)
        free(text);
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
