/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdatomic.h>

static int table[4];
static atomic_int complete;

static void *writer(void *unused)
{
    (void)unused;
    for (int i = 0; i < 4; i++)
        table[i] = i;
    atomic_store(&complete, 1);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    int sum = 0;
    if (atomic_load(&complete))
        for (int i = 0; i < 4; i++)
            sum += table[i];
    (void)sum;
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
