/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
#include <mutex>
#include <thread>

static std::mutex first, second;

int main()
{
    std::thread a([] {
        std::lock_guard one(first);
        std::lock_guard two(second);
    });
    std::thread b([] {
        std::lock_guard one(second);
        std::lock_guard two(first);
    });
    a.join();
    b.join();
}
