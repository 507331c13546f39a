/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <pthread.h>

struct big {
    long cells[12];
};

struct big shared, copy;

static void *writer(void *arg)
{
    (void)arg;
    shared.cells[11] = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    copy = shared;
    pthread_join(t, NULL);
    return 0;
}
