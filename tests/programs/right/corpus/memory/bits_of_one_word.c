/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>

static struct {
    unsigned dirty : 1;
    unsigned : 0;
    unsigned locked : 1;
} page;

static void *one(void *unused)
{
    (void)unused;
    page.dirty = 1;
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    page.locked = 1;
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
