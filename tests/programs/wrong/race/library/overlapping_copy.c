/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: memcpy reads the struct while another thread writes one byte of it */
#include <pthread.h>
#include <string.h>

struct record {
    long id;
    char name[40];
};

struct record shared, backup;

static void *rename_it(void *arg)
{
    (void)arg;
    shared.name[20] = 'x';
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, rename_it, NULL);
    memcpy(&backup, &shared, sizeof backup);
    pthread_join(t, NULL);
    return 0;
}
