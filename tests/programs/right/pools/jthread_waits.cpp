/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: one consumer that ends when a stop is requested and nothing is left */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <stop_token>
#include <thread>

int main()
{
    std::mutex lock;
    std::condition_variable_any changed;
    std::queue<int> queue;
    int sum = 0;
    {
        std::jthread consumer([&](std::stop_token stop) {
            std::unique_lock guard(lock);
            while (changed.wait(guard, stop, [&] { return !queue.empty(); })) {
                sum += queue.front();
                queue.pop();
            }
        });
        for (int i = 1; i <= 2; i++) {
            {
                std::lock_guard guard(lock);
                queue.push(i);
            }
            changed.notify_one();
        }
    }
    assert(sum == 3);
}
