/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <time.h>

int year[2];

static void *one(void *unused)
{
    (void)unused;
    time_t now = 0;
    struct tm own;
    year[0] = localtime_r(&now, &own)->tm_year;
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    time_t now = 86400;
    struct tm own;
    year[1] = localtime_r(&now, &own)->tm_year;
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
