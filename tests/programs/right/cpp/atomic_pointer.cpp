/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: fetch_add on an atomic pointer counts in elements */
#include <atomic>
#include <cassert>
#include <thread>

static int slots[4];
static std::atomic<int *> next{slots};

static void claim(int value)
{
    *next.fetch_add(1, std::memory_order_relaxed) = value;
    *next++ = value;
}

int main()
{
    std::thread a(claim, 1), b(claim, 2);
    a.join();
    b.join();
    assert(next.load() == slots + 4 && next.fetch_sub(4) == slots + 4 && next == slots);
    assert(slots[0] + slots[1] + slots[2] + slots[3] == 6);
}
