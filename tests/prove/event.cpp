// SPDX-License-Identifier: Apache-2.0
// The event of event.c with std::condition_variable.
#include <condition_variable>
#include <mutex>
#include <plumb.h>

static bool is_set;
static std::mutex guard;
static std::condition_variable changed;

PLUMB_OBJECT(event)

PLUMB_OP(set)
{
    std::lock_guard<std::mutex> held(guard);
    is_set = true;
#ifdef ONE
    changed.notify_one();
#else
    changed.notify_all();
#endif
    return PLUMB_OK;
}

PLUMB_OP(reset)
{
    std::lock_guard<std::mutex> held(guard);
    is_set = false;
    return PLUMB_OK;
}

PLUMB_OP(wait)
{
    std::unique_lock<std::mutex> held(guard);
    changed.wait(held, [] { return is_set; });
    return PLUMB_OK;
}
