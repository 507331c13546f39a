/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* all: skipped */
/* note: every read-modify-write operation, on 1, 2, 4 and 8 bytes, wraps as the type does */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define DECLARE(bits) static _Atomic uint##bits##_t sum##bits, mask##bits = 0x0f;
DECLARE(8)
DECLARE(16)
DECLARE(32)
DECLARE(64)

#define ALL(bits)                                          \
    atomic_fetch_add(&sum##bits, 5);                       \
    atomic_fetch_sub(&sum##bits, 2);                       \
    atomic_fetch_or(&mask##bits, (uint##bits##_t)0x30);    \
    atomic_fetch_and(&mask##bits, (uint##bits##_t) ~0x01); \
    atomic_fetch_xor(&mask##bits, (uint##bits##_t)0x80)

static void *work(void *arg)
{
    (void)arg;
    ALL(8);
    ALL(16);
    ALL(32);
    ALL(64);
    return NULL;
}

int main(void)
{
    pthread_t t;
    atomic_store(&sum8, 250);
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(sum8 == 0 && sum16 == 6 && sum32 == 6 && sum64 == 6);
    assert(mask8 == 0x3e && mask16 == 0x3e && mask32 == 0x3e && mask64 == 0x3e);
    return 0;
}
