// SPDX-License-Identifier: Apache-2.0
// A vector behind a lock: frames have words of which half an address is left.
#include <plumb.h>
#include <mutex>
#include <vector>
static std::mutex m;
static std::vector<int> s;
PLUMB_OBJECT(stack)
PLUMB_OP(push, int, v)
{
    std::lock_guard<std::mutex> g(m);
    s.push_back(v);
    return PLUMB_OK;
}
PLUMB_OP(pop)
{
    std::lock_guard<std::mutex> g(m);
    if (s.empty())
        return PLUMB_NONE;
    int v = s.back();
    s.pop_back();
    return PLUMB_INT(v);
}
