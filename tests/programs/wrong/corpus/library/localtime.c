/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: localtime answers with the address of one static structure */
#include <pthread.h>
#include <time.h>

int year[2];

static void *one(void *unused)
{
    (void)unused;
    time_t now = 0;
    year[0] = localtime(&now)->tm_year;
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    time_t now = 86400;
    year[1] = localtime(&now)->tm_year;
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
