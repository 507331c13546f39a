// SPDX-License-Identifier: Apache-2.0
// l1-ca0/cpp-lockfree-structures, atomic_hashmap.hpp: a hash table with a list for each bucket; its keys as a set.
#include <plumb.h>

#include <lockfree/atomic_hashmap.hpp>

static lockfree::AtomicHashMap<long, long> map;

PLUMB_OBJECT(set)
PLUMB_OP(add, long, v)
{
    return PLUMB_BOOL(map.insert(v, v));
}
PLUMB_OP(remove, long, v)
{
    return PLUMB_BOOL(map.erase(v));
}
PLUMB_OP(contains, long, v)
{
    return PLUMB_BOOL(map.contains(v));
}
