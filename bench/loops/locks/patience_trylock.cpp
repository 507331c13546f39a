/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: assert */
/* note: ten try_locks, then a list of postponed work under another mutex; wrong: the slow path loses what is there */
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex main_lock, postponed_lock;
static int total;
static std::vector<int> postponed;

static void add(int n)
{
    for (int i = 0; i < 10; ++i) {
        std::unique_lock guard(main_lock, std::try_to_lock);
        if (guard) {
            total += n;
            return;
        }
        std::this_thread::yield();
    }
    std::lock_guard guard(postponed_lock);
#ifdef WRONG
    postponed.assign(0, n);
#else
    postponed.push_back(n);
#endif
}

int main()
{
    std::thread one(add, 1), two(add, 2);
    one.join();
    two.join();
    for (int n : postponed)
        total += n;
    assert(total == 3);
}
