/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: deadlock */
/* note: std::atomic wait and notify in a loop that takes what is there; wrong: the last one does not notify */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> tokens{0};

static void take()
{
    for (;;) {
        int n = tokens.load();
        if (n == 0) {
            tokens.wait(0);
            continue;
        }
        if (tokens.compare_exchange_weak(n, n - 1))
            return;
    }
}

static void give(bool notify)
{
    tokens.fetch_add(1);
    if (notify)
        tokens.notify_one();
}

int main()
{
#ifdef WRONG
    constexpr bool last = false;
#else
    constexpr bool last = true;
#endif
    std::thread one(take), two(take);
    give(true);
    give(last);
    one.join();
    two.join();
    assert(tokens.load() == 0);
}
