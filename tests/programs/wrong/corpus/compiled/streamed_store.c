/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* named: memory operands of intrinsics at */
/* machine: x86-64 */
/* note: a store that goes past the caches, by an intrinsic, while another thread reads */
#include <emmintrin.h>
#include <pthread.h>

static int shared;
int seen;

static void *writer(void *unused)
{
    (void)unused;
    _mm_stream_si32(&shared, 1);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    seen = shared;
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
