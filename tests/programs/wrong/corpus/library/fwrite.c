/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: fwrite reads a record that another thread writes */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
char record[16];

static void *one(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    record[3] = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    FILE *f = fopen("/dev/null", "w");
    if (f) {
        fwrite(record, 1, sizeof record, f);
        fclose(f);
    }
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
