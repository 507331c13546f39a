/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* tso: holds */
/* sc: holds */
#include <atomic>
#include <string>
#include <thread>

static std::string text;
static std::atomic<bool> ready{false};

int main()
{
    std::size_t length = 0;
    std::thread t([] {
        text = "published without release";
        ready.store(true, std::memory_order_relaxed);
    });
    if (ready.load(std::memory_order_relaxed))
        length = text.size();
    t.join();
    return length > 100;
}
