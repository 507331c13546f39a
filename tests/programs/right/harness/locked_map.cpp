/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* flags-plumb: --test 'put(1,10) get(1) | put(1,20) remove(1) | get(1)' */
#include <plumb.h>

#include <map>
#include <mutex>

static std::map<int, int> entries;
static std::mutex lock;

PLUMB_OBJECT(map)

PLUMB_OP(put, int, k, int, v)
{
    std::lock_guard<std::mutex> guard(lock);
    entries[k] = v;
    return PLUMB_OK;
}

PLUMB_OP(get, int, k)
{
    std::lock_guard<std::mutex> guard(lock);
    auto found = entries.find(k);
    return found == entries.end() ? PLUMB_NONE : PLUMB_INT(found->second);
}

PLUMB_OP(remove, int, k)
{
    std::lock_guard<std::mutex> guard(lock);
    return PLUMB_BOOL(entries.erase(k) > 0);
}
