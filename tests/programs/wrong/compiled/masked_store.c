/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* only: clang */
/* mode: all */
/* machine: x86-64 */
/* known: holds */
/* named: memory operands of intrinsics at */
/* note: which bytes the instruction writes is decided when it runs */
#include <emmintrin.h>
#include <pthread.h>
#include <stddef.h>

static int numbers[4];

static void *store(void *arg)
{
    _mm_maskmoveu_si128(_mm_set1_epi32(1), _mm_set1_epi32(-1), (char *)numbers);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, store, NULL);
    numbers[2] = 1;
    pthread_join(t, NULL);
    return 0;
}
