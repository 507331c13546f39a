/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>

static int level = 1;
int seen;

static void *one(void *unused)
{
    (void)unused;
    int own = level;
    (void)own;
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    seen = level;
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
