// SPDX-License-Identifier: Apache-2.0
// Counts of std::shared_ptr are atomic in a program with several threads, which this one has, whatever the process.
#include <memory>
#include <mutex>
#include <plumb.h>

static std::shared_ptr<int> value = std::make_shared<int>(0);
static std::mutex lock;

PLUMB_OBJECT(register)

PLUMB_OP(write, int, v)
{
    auto next = std::make_shared<int>(v);
    std::lock_guard<std::mutex> guard(lock);
    value.swap(next);
    return PLUMB_OK;
}

static std::shared_ptr<int> get()
{
    std::lock_guard<std::mutex> guard(lock);
    return value;
}

PLUMB_OP(read)
{
    return PLUMB_INT(*get());
}
