/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* known-gcc: holds */
/* named-gcc: pointers to members */
/* note: a table of pointers to member functions is published by a relaxed store */
#include <atomic>
#include <thread>

struct handler {
    int answer()
    {
        return 1;
    }
};

static int (handler::*table[2])();
static std::atomic<int> ready;

int main()
{
    handler h;
    int found = 1;
    std::thread other([] {
        table[1] = &handler::answer;
        ready.store(1, std::memory_order_relaxed);
    });
    if (ready.load(std::memory_order_acquire))
        found = (h.*table[1])();
    other.join();
    return found != 1;
}
