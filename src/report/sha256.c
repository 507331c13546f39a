/* SPDX-License-Identifier: Apache-2.0 */
#include "report/sha256.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64, WORDS = 8 };

struct sha256 {
    uint32_t state[WORDS], constants[ROUNDS];
};

/* The first 32 bits behind the point of a root of a prime: what the standard's tables hold. Long doubles have bits enough. */
static uint32_t fraction(long double root)
{
    return (uint32_t)((root - floorl(root)) * 4294967296.0L);
}

static bool is_prime(unsigned n)
{
    for (unsigned d = 2; d * d <= n; d++)
        if (n % d == 0)
            return false;
    return true;
}

static void begin(struct sha256 *s)
{
    for (unsigned n = 2, k = 0; k < ROUNDS; n++)
        if (is_prime(n)) {
            if (k < WORDS)
                s->state[k] = fraction(sqrtl(n));
            s->constants[k++] = fraction(cbrtl(n));
        }
}

static uint32_t turn(uint32_t x, unsigned by)
{
    return x >> by | x << (32 - by);
}

static void expand(uint32_t w[ROUNDS], const unsigned char *block)
{
    for (unsigned k = 0; k < 16; k++)
        w[k] = (uint32_t)block[4 * k] << 24 | (uint32_t)block[4 * k + 1] << 16 |
               (uint32_t)block[4 * k + 2] << 8 | block[4 * k + 3];
    for (unsigned k = 16; k < ROUNDS; k++) {
        uint32_t a = w[k - 15], b = w[k - 2];
        w[k] = w[k - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[k - 7] +
               (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
}

static void add_block(struct sha256 *s, const unsigned char *block)
{
    uint32_t w[ROUNDS], v[WORDS]; /* v: a to h */
    expand(w, block);
    memcpy(v, s->state, sizeof v);
    for (unsigned k = 0; k < ROUNDS; k++) {
        uint32_t a = v[0], e = v[4];
        uint32_t one = v[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & v[5]) ^ (~e & v[6])) +
                       s->constants[k] + w[k];
        uint32_t two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, (WORDS - 1) * sizeof *v);
        v[4] += one;
        v[0] = one + two;
    }
    for (unsigned k = 0; k < WORDS; k++)
        s->state[k] += v[k];
}

/* What is left, a bit that is set, zeros, and the length in bits. */
static void finish(struct sha256 *s, const unsigned char *rest, size_t left, uint64_t length)
{
    unsigned char end[2 * BLOCK] = {0};
    size_t size = left + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
    memcpy(end, rest, left);
    end[left] = 0x80;
    for (unsigned k = 0; k < 8; k++)
        end[size - 1 - k] = (unsigned char)(length * 8 >> 8 * k);
    for (size_t at = 0; at < size; at += BLOCK)
        add_block(s, end + at);
}

void sha256_add_hex(struct text *out, const void *bytes, size_t length)
{
    struct sha256 s;
    size_t whole = length / BLOCK * BLOCK;
    begin(&s);
    for (size_t at = 0; at < whole; at += BLOCK)
        add_block(&s, (const unsigned char *)bytes + at);
    finish(&s, (const unsigned char *)bytes + whole, length - whole, length);
    for (unsigned k = 0; k < WORDS; k++)
        text_printf(out, "%08x", s.state[k]);
}
