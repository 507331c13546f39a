/* SPDX-License-Identifier: Apache-2.0 */
/* What plumb-as marks of what gcc compiles, for tests/scripts/plumb_as.sh: `// KIND` ends each line that has a mark, no other line does. */
#include <immintrin.h>

int number;
unsigned long long answer;
void call(void);

void pieces(int *p)
{
    __asm__ volatile("lock incl %0" : "+m"(*p)); // inline
    __asm__ volatile("" ::: "memory");
    __asm__ volatile("# nothing\n.Lnothing%=:" ::);
    answer = __rdtsc(); // answer
    _mm_mfence();       // fence
    _mm_lfence();
    number++;
    call();
}

/* Operands of instructions that no compiler announces. */
void operands(int *p, __m128i v, char *bytes)
{
    _mm_stream_si32(&number, 1);      // operand
    _mm_stream_si32(p, 2);            // operand
    _mm_maskmoveu_si128(v, v, bytes); // operand
    _mm_storeu_si128((__m128i *)bytes, v);
    _mm_clflush(p);
}
