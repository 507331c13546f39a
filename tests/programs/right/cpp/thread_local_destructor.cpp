/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: constructed on first use in each thread, destroyed at its end, before join returns */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> alive{0}, made{0};

struct tracker {
    int uses = 0;
    tracker() { alive++, made++; }
    ~tracker() { alive--; }
};

static thread_local tracker mine;

static void use()
{
    mine.uses++;
    assert(mine.uses == 1);
    assert(alive >= 1);
}

int main()
{
    std::thread a(use), b(use);
    a.join();
    b.join();
    assert(made == 2 && alive == 0);
}
