/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <atomic>
#include <functional>
#include <thread>

static std::function<int()> counter()
{
    static std::atomic<int> hits{0};
    return [] { return hits.fetch_add(1); };
}

int main()
{
    auto next = counter();
    std::thread t([&] { next(); });
    t.join();
}
