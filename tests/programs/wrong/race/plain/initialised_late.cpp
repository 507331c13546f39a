/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: std::atomic_init is not atomic */
#include <atomic>
#include <thread>

static std::atomic<int> number;

int main()
{
    std::thread t([] { number.store(1); });
    std::atomic_init(&number, 3);
    t.join();
}
