/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: one MiB of globals, restored before every execution */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

static unsigned char zeroed[1 << 20];
static int initialised[1024] = {[1023] = 77};

static void *work(void *arg)
{
    size_t from = (size_t)(uintptr_t)arg;
    for (size_t i = from; i < sizeof zeroed; i += 1 << 16)
        zeroed[i]++;
    return NULL;
}

int main(void)
{
    pthread_t t;
    assert(zeroed[0] == 0 && zeroed[1] == 0 && zeroed[(1 << 20) - 1] == 0 && initialised[1023] == 77);
    pthread_create(&t, NULL, work, (void *)1);
    work((void *)0);
    pthread_join(t, NULL);
    assert(zeroed[1 << 16] == 1 && zeroed[(1 << 16) + 1] == 1);
    initialised[1023] = 0;
    memset(zeroed + 4096, 0xee, 100000);
    zeroed[(1 << 20) - 1] = 9;
    return 0;
}
