/* SPDX-License-Identifier: Apache-2.0 */
#include "native/native_generator.h"

/* splitmix64 */
static uint64_t mix(uint64_t *x)
{
    uint64_t z = *x += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

void native_seed(struct native_generator *g, uint64_t seed, uint64_t round, uint64_t thread)
{
    uint64_t x = seed;
    x = mix(&x) ^ round;
    x = mix(&x) ^ thread;
    for (int i = 0; i < 4; i++)
        g->state[i] = mix(&x);
}

/* Vose's method, in integers: each column has room for `sum`, and weights count `columns` times. What is left of a large
 * weight fills the column of a small one. */
void native_make_alias(struct native_alias *a, const uint16_t *weights, uint32_t count)
{
    uint64_t rest[STRESS_OPERATIONS_MAX], sum = 0;
    uint32_t small[STRESS_OPERATIONS_MAX], large[STRESS_OPERATIONS_MAX], smalls = 0, larges = 0;
    a->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!weights[i])
            continue;
        sum += weights[i];
        a->item[a->count++] = (uint16_t)i;
    }
    for (uint32_t c = 0; c < a->count; c++) {
        rest[c] = (uint64_t)weights[a->item[c]] * a->count;
        *(rest[c] < sum ? &small[smalls++] : &large[larges++]) = c;
        a->limit[c] = UINT32_MAX;
        a->alias[c] = a->item[c];
    }
    while (smalls && larges) {
        uint32_t s = small[--smalls], l = large[larges - 1];
        a->limit[s] = (uint32_t)((rest[s] << 32) / sum);
        a->alias[s] = a->item[l];
        rest[l] -= sum - rest[s];
        if (rest[l] < sum) {
            larges--;
            small[smalls++] = l;
        }
    }
}
