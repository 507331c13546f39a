/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses that are part of calls, for tests/scripts/unannounced.sh: `// KIND` ends each line that has one, no other line does. */
struct pair {
    long first, second;
};
struct record {
    long fields[5];
};
struct node {
    int key;
    struct {
        char name[4];
    } inner;
    struct record record;
} * node;
struct maker {
    struct record (*make)(void);
} * maker;
struct pair make_pair(void), pair, pairs[4], name;
struct record make_record(void), record, record_1, first;
volatile struct pair changing;
void take_pair(struct pair), take_record(struct record), give(void *), call(void (*)(void));
__typeof__(node->inner) make_inner(void);

void results(struct record *r, int i)
{
    static struct record once;
    pair = make_pair();                                // result
    pairs[i] = make_pair();                            // result
    *r = make_record();                                // result
    r[i] = maker->make();                              // result
    node->record = make_record();                      // result
    node->inner = make_inner();                        // result
    name = make_pair();                                // result
    record_1 = make_record();                          // result
    first = make_record();                             // result
    changing = make_pair();                            // result
    once = make_record();                              // result
    *(struct record *)((char *)r + 3) = make_record(); // result
    take_record(once);                                 // argument
}

void arguments(const struct record *r, struct record own)
{
    take_pair(pair);           // argument
    take_record(record);       // argument
    take_record(*r);           // argument
    take_record(node->record); // argument
    take_record(own);
}

/* A variable of the function is its own until its address is given away. */
struct record locals(long n)
{
    struct record r = make_record(), other = {{n}};
    struct pair p = make_pair();
    take_pair(p);
    take_record(r);
    take_record(other);
    call((void (*)(void))locals);
    give(&r);
    r = make_record(); // result
    take_record(r);    // argument
    other = make_record();
    take_record(other);
    give(&other.fields[1]);
    take_record(other); // argument
    return make_record();
}

/* Who calls lends the memory. */
struct record fill(long n)
{
    struct record r = {{n}};
    r.fields[3] = n;
    return r; // written
}

#ifdef __x86_64__
#include <emmintrin.h>
int number;
void operands(int *p, __m128i v, char *bytes)
{
    _mm_stream_si32(&number, 1);      // operand
    _mm_stream_si32(p, 2);            // operand
    _mm_maskmoveu_si128(v, v, bytes); // operand
    _mm_storeu_si128((__m128i *)bytes, v);
    _mm_clflush(p);
    _mm_mfence();
}
#endif
