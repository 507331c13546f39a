/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated exception */
/* note: the library checks ownership and throws std::system_error */
#include <mutex>
#include <thread>

static std::mutex lock;

int main()
{
    std::thread t([] {
        std::unique_lock guard(lock);
        guard.unlock();
        guard.unlock();
    });
    t.join();
}
