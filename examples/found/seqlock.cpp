// SPDX-License-Identifier: Apache-2.0
// rigtorp/Seqlock: one writer, one reader, a value of two words that are always equal.
#include <plumb.h>

#include <rigtorp/Seqlock.h>

struct pair {
    long first, second;
};

static rigtorp::Seqlock<pair> shared;

PLUMB_OBJECT(register(0))
PLUMB_ROLE(writer, write)
PLUMB_OP(write, long, v)
{
    shared.store({v, v});
    return PLUMB_OK;
}
PLUMB_OP(read)
{
    pair seen = shared.load();
    return PLUMB_INT(seen.first == seen.second ? seen.first : -1); // -1: torn
}
PLUMB_SETUP()
{
    shared.store({0, 0});
}
