/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* flags-plumb: --spurious */
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

int main()
{
    std::atomic<int> stage{0};
    std::mutex lock;
    std::condition_variable changed;
    bool ready = false;
    std::thread other([&] {
        stage.store(1);
        stage.notify_one();
        std::lock_guard<std::mutex> guard(lock);
        ready = true;
        changed.notify_one();
    });
    stage.wait(0);
    assert(stage.load() == 1);
    {
        std::unique_lock<std::mutex> guard(lock);
        changed.wait(guard, [&] { return ready; });
    }
    other.join();
}
