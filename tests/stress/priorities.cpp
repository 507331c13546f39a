/* SPDX-License-Identifier: Apache-2.0 */
/* A priority queue that has one element of each priority only. */
#include <plumb.h>

#include <map>
#include <mutex>

static std::mutex lock;
#ifdef FIXED
static std::multimap<int, signed char> elements;
#else
static std::map<int, signed char> elements;
#endif

PLUMB_OBJECT(pqueue)

PLUMB_OP(insert, int, priority, signed char, v)
{
    std::lock_guard<std::mutex> guard(lock);
    elements.insert({priority, v});
    return PLUMB_OK;
}

PLUMB_OP(delete_min)
{
    std::lock_guard<std::mutex> guard(lock);
    if (elements.empty())
        return PLUMB_NONE;
    int v = elements.begin()->second;
    elements.erase(elements.begin());
    return PLUMB_INT(v);
}
