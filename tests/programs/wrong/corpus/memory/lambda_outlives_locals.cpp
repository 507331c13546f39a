/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return|race|uninitialised|crash */
/* mode: all */
/* note: the lambda refers to a local of a function that has returned */
#include <atomic>
#include <functional>
#include <thread>

static std::function<int()> counter()
{
    std::atomic<int> hits{0};
    return [&hits] { return hits.fetch_add(1); };
}

int main()
{
    auto next = counter();
    std::thread t([&] { next(); });
    t.join();
}
