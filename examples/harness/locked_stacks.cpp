// SPDX-License-Identifier: Apache-2.0
// Two stacks behind one mutex, in C++: correct.
//
//     plumb check locked_stacks.cpp --test 'left.push("a") right.pop | right.push("b") left.pop' --mode dfs
#include <plumb.h>

#include <mutex>
#include <string>
#include <vector>

static std::mutex lock;
static std::vector<std::string> left_items, right_items;

static plumb_value push(std::vector<std::string> &items, const char *s)
{
    std::lock_guard<std::mutex> guard(lock);
    items.push_back(s);
    return PLUMB_OK;
}

static plumb_value pop(std::vector<std::string> &items)
{
    std::lock_guard<std::mutex> guard(lock);
    if (items.empty())
        return PLUMB_NONE;
    std::string top = items.back();
    items.pop_back();
    return PLUMB_STRING(top.c_str());
}

PLUMB_OBJECT_NAMED(left, stack)
PLUMB_OBJECT_NAMED(right, stack)

PLUMB_OP_ON(left, push, const char *, s) { return push(left_items, s); }
PLUMB_OP_ON(left, pop) { return pop(left_items); }
PLUMB_OP_ON(right, push, const char *, s) { return push(right_items, s); }
PLUMB_OP_ON(right, pop) { return pop(right_items); }
