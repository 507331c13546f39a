/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated unlock-not-held */
#include <mutex>
#include <thread>

static std::mutex lock;

int main()
{
    std::thread t([] {
        lock.lock();
        lock.unlock();
        lock.unlock();
    });
    t.join();
}
