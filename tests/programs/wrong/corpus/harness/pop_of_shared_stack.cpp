/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* mode: all */
/* flags-plumb: --test 'push(1) => pop | pop' */
/* note: empty and pop are two critical sections: the last element is popped twice */
#include <mutex>
#include <plumb.h>
#include <vector>

static std::mutex lock;
static std::vector<long> items;

static bool is_empty()
{
    std::lock_guard<std::mutex> guard(lock);
    return items.empty();
}

PLUMB_OBJECT(stack)
PLUMB_OP(push, long, v)
{
    std::lock_guard<std::mutex> guard(lock);
    items.push_back(v);
    return PLUMB_OK;
}
PLUMB_OP(pop)
{
    if (is_empty())
        return PLUMB_NONE;
    std::lock_guard<std::mutex> guard(lock);
    if (items.empty())
        return PLUMB_INT(0);
    long v = items.back();
    items.pop_back();
    return PLUMB_INT(v);
}
