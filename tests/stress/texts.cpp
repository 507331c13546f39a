/* SPDX-License-Identifier: Apache-2.0 */
/* Two objects, strings, an own constructor: C++. */
#include <plumb.h>

#include <map>
#include <mutex>
#include <set>
#include <string>

static std::mutex lock;
static std::map<long, std::string> store;
static std::set<std::string> names{"1"};

PLUMB_OBJECT_NAMED(store, kv)
PLUMB_OBJECT_NAMED(names, set)

PLUMB_SETUP()
{
    names.clear();
}

PLUMB_OP_ON(store, put, long, k, const char *, v)
{
    std::lock_guard<std::mutex> guard(lock);
    store[k] = v;
    return PLUMB_OK;
}

PLUMB_OP_ON(store, append, long, k, const char *, v)
{
    std::lock_guard<std::mutex> guard(lock);
    store[k] += v;
    return PLUMB_OK;
}

PLUMB_OP_ON(store, get, long, k)
{
    std::lock_guard<std::mutex> guard(lock);
    return PLUMB_STRING(store[k].c_str());
}

PLUMB_OP_ON(names, add, const char *, v)
{
    std::lock_guard<std::mutex> guard(lock);
    return PLUMB_BOOL(names.insert(v).second);
}

PLUMB_OP_ON(names, remove, const char *, v)
{
    std::lock_guard<std::mutex> guard(lock);
    return PLUMB_BOOL(names.erase(v) > 0);
}

PLUMB_OP_ON(names, contains, const char *, v)
{
    std::lock_guard<std::mutex> guard(lock);
    return PLUMB_BOOL(names.count(v) > 0);
}

PLUMB_TRY_ON(names, add, "a", "b c", "1")
PLUMB_TRY_ON(names, remove, "a", "b c", "1")
PLUMB_TRY_ON(names, contains, "a", "b c", "1")
