// SPDX-License-Identifier: Apache-2.0
// andrew-drogalis/SeqLock, dro/seqlock.hpp: a pair of equal numbers behind a sequence lock.
#include <plumb.h>

#include <dro/seqlock.hpp>

struct twice {
    long first, second;
};
static dro::Seqlock<twice> lock;

PLUMB_OBJECT(register)
PLUMB_OP(write, long, v)
{
    lock.store(twice{v, v});
    return PLUMB_OK;
}
PLUMB_OP(read)
{
    twice found;
    lock.load(found);
    return PLUMB_INT(found.first == found.second ? found.first : -1); // -1: torn
}
