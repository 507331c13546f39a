/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses that are part of calls, for tests/unannounced.sh: `list KIND` ends each line that has one, no other line does. */
struct pair {
    long first, second;
};
struct record {
    long fields[5];
};
struct node {
    int key;
    struct {
        char name[3];
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
    pair = make_pair();                                // list result
    pairs[i] = make_pair();                            // list result
    *r = make_record();                                // list result
    r[i] = maker->make();                              // list result
    node->record = make_record();                      // list result
    node->inner = make_inner();                        // list result
    name = make_pair();                                // list result
    record_1 = make_record();                          // list result
    first = make_record();                             // list result
    changing = make_pair();                            // list result
    once = make_record();                              // list result
    *(struct record *)((char *)r + 3) = make_record(); // list result
    take_record(once);                                 // list argument
}

void arguments(const struct record *r, struct record own)
{
    take_pair(pair);           // list argument
    take_record(record);       // list argument
    take_record(*r);           // list argument
    take_record(node->record); // list argument
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
    r = make_record(); // list result
    take_record(r);    // list argument
    other = make_record();
    take_record(other);
    give(&other.fields[1]);
    take_record(other); // list argument
    return make_record();
}

#ifdef __x86_64__
#include <emmintrin.h>
int number;
void operands(int *p, __m128i v, char *bytes)
{
    _mm_stream_si32(&number, 1);      // list operand
    _mm_stream_si32(p, 2);            // list operand
    _mm_maskmoveu_si128(v, v, bytes); // list operand
    _mm_storeu_si128((__m128i *)bytes, v);
    _mm_clflush(p);
    _mm_mfence();
}
#endif
