/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the same with a release */
#include <atomic>
#include <thread>

struct box {
    int a = 0, b = 0;
    int first() const { return a; }
};

static box shared;
static std::atomic<bool> ready;

int main()
{
    std::thread t([] {
        if (ready.load(std::memory_order_acquire))
            shared.first();
    });
    shared.a = 1;
    ready.store(true, std::memory_order_release);
    t.join();
    return 0;
}
