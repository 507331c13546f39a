/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: std::lock on spin locks of our own, in opposite orders */
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class spinlock
{
  public:
    void lock()
    {
        while (!try_lock())
            ;
    }

    bool try_lock()
    {
        return !held_.exchange(true, std::memory_order_acquire);
    }

    void unlock()
    {
        held_.store(false, std::memory_order_release);
    }

  private:
    std::atomic<bool> held_{false};
};

static spinlock a, b;
static int x = 10, y = 10;

int main()
{
    std::thread one([] {
        std::lock(a, b);
        std::lock_guard<spinlock> ga(a, std::adopt_lock), gb(b, std::adopt_lock);
        x -= 5;
        y += 5;
    });
    {
        std::lock(b, a);
        std::lock_guard<spinlock> ga(a, std::adopt_lock), gb(b, std::adopt_lock);
        y -= 3;
        x += 3;
    }
    one.join();
    assert(x == 8 && y == 12);
}
