/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static int left, right;

int main()
{
    std::thread writer([] {
        std::unique_lock exclusive(lock);
        left++;
        right++;
    });
    auto read = [] {
        std::shared_lock shared(lock);
        assert(left == right);
    };
    std::thread one(read), two(read);
    writer.join();
    one.join();
    two.join();
    assert(lock.try_lock_shared());
    lock.unlock_shared();
}
