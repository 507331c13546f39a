/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* std: c++17 */
/* only: clang */
/* note: an atomic pair of 16 bytes that the compiler calls lock-free (gcc never does), changed by weak and strong exchanges */
#include <atomic>
#include <cassert>
#include <thread>

struct alignas(16) tagged {
    long pointer, tag;
};

static std::atomic<tagged> top{tagged{0, 0}};
static_assert(std::atomic<tagged>::is_always_lock_free);

static void push(long pointer, bool weakly)
{
    tagged old = top.load(std::memory_order_relaxed), next;
    do
        next = {pointer, old.tag + 1};
    while (weakly ? !top.compare_exchange_weak(old, next) : !top.compare_exchange_strong(old, next));
}

int main()
{
    std::thread other([] { push(1, true); });
    push(2, false);
    other.join();
    tagged last = top;
    assert(last.tag == 2 && (last.pointer == 1 || last.pointer == 2));
    assert(top.exchange({3, 3}).tag == 2);
}
