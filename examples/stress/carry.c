/* SPDX-License-Identifier: Apache-2.0 */
/* A counter in two words, the lower one of 8 bits. An addition that overflows the lower word carries into the upper one in a second step; who
 * reads in between misses 256. No addition is lost. -DFIXED: writers take
 * the sequence lock, which makes one step of both. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_uchar low;
static atomic_long high;
static atomic_uint version; /* odd: being changed */

/* The version to compare with, when nothing is being changed. */
static unsigned begin_read(void)
{
    unsigned v;
    do
        v = version;
    while (v & 1);
    return v;
}

static void begin_write(void)
{
#ifdef FIXED
    unsigned v = begin_read();
    while (!atomic_compare_exchange_weak(&version, &v, v + 1))
        v = begin_read();
#endif
}

static void end_write(void)
{
#ifdef FIXED
    version++;
#endif
}

PLUMB_OBJECT(counter)

PLUMB_SETUP()
{
    low = 0;
    high = 0;
    version = 0;
}

PLUMB_OP(add, long, n)
{
    begin_write();
    unsigned char digit = (unsigned char)n, old = atomic_fetch_add(&low, digit);
    atomic_fetch_add(&high, (n - digit) / 256 + (old + digit > 255));
    end_write();
    return PLUMB_OK;
}

PLUMB_OP(get)
{
    unsigned v;
    long value;
    do {
        v = begin_read();
        value = high * 256;
        value += low;
    } while (v != version);
    return PLUMB_INT(value);
}

PLUMB_TRY(add, 100, 200)
PLUMB_TEST("add(200) => add(100) | get")
