/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: both threads write the same value: a race all the same */
#include <pthread.h>
#include <stdatomic.h>

static int table_ready;

static void *user(void *unused)
{
    (void)unused;
    if (!table_ready)
        table_ready = 1;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, user, NULL);
    pthread_create(&t[1], NULL, user, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
