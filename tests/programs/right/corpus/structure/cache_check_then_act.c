/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int present, created;

static void *lookup(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    int found = present;
    if (!found) {
        created++;
        present = 1;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, lookup, NULL);
    pthread_create(&t[1], NULL, lookup, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(created == 1);
    return 0;
}
