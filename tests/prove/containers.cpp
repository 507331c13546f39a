// SPDX-License-Identifier: Apache-2.0
// Containers of libstdc++ whose functions are partly compiled there. UNLOCKED: membership is asked without the lock.
#include <plumb.h>
#include <list>
#include <mutex>
#include <set>
#include <unordered_set>
static std::mutex m;
#ifdef LIST
static std::list<int> q;
PLUMB_OBJECT(queue)
PLUMB_OP(enq, int, v)
{
    std::lock_guard<std::mutex> g(m);
    q.push_back(v);
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    std::lock_guard<std::mutex> g(m);
    if (q.empty())
        return PLUMB_NONE;
    int v = q.front();
    q.pop_front();
    return PLUMB_INT(v);
}
#else
#ifdef HASH
static std::unordered_set<int> s;
#else
static std::set<int> s;
#endif
PLUMB_OBJECT(set)
PLUMB_OP(add, int, v)
{
    std::lock_guard<std::mutex> g(m);
    return PLUMB_BOOL(s.insert(v).second);
}
PLUMB_OP(remove, int, v)
{
    std::lock_guard<std::mutex> g(m);
    return PLUMB_BOOL(s.erase(v) == 1);
}
PLUMB_OP(contains, int, v)
{
#ifndef UNLOCKED
    std::lock_guard<std::mutex> g(m);
#endif
    return PLUMB_BOOL(s.count(v) == 1);
}
#endif
