/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* tso: holds */
/* sc: holds */
/* note: asked for nothing */
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
    ready.store(true, std::memory_order_relaxed);
    t.join();
    return 0;
}
