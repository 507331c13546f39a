/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --races=allow */
/* note: memset goes over fields of which one is read meanwhile */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static struct {
    char tag[3];
    short size;
    int value;
    long other;
} shared;

static void *fill(void *arg)
{
    memset(&shared, 1, sizeof shared);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, fill, NULL);
    short size = shared.size;
    int value = shared.value;
    pthread_join(t, NULL);
    assert(size == 0x101 || value == 0); /* the other way round is one of four */
    return 0;
}
