/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <pthread.h>

static unsigned char small = 0xff;
static unsigned long large = 0xff;

static void *flip(void *arg)
{
    (void)arg;
    __atomic_fetch_nand(&small, 0x0f, __ATOMIC_SEQ_CST);
    __atomic_nand_fetch(&large, 0x0ful, __ATOMIC_RELAXED);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, flip, 0);
    flip(0);
    pthread_join(t, 0);
    assert(small == 0xff);
    assert(large == ~0ul);
    return 0;
}
