/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free */
/* note: a reference into a vector that another thread makes grow, all under the lock */
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static std::vector<int> numbers(4);

int main()
{
    int &first = numbers[0];
    std::thread t([] {
        std::lock_guard guard(lock);
        numbers.resize(1000);
    });
    {
        std::lock_guard guard(lock);
        first = 1;
    }
    t.join();
}
