/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static std::deque<int> queue;

static void produce()
{
    for (int i = 1; i <= 2; i++) {
        {
            std::lock_guard guard(lock);
            queue.push_back(i);
        }
        changed.notify_one();
    }
}

int main()
{
    std::thread producer(produce);
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        std::unique_lock guard(lock);
        changed.wait(guard, [] { return !queue.empty(); });
        sum = sum * 10 + queue.front();
        queue.pop_front();
    }
    producer.join();
    assert(sum == 12 && queue.empty());
}
