/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the period of the yields is counted in the lock object, by its waiter */
#include <atomic>
#include <cassert>
#include <thread>

class waiter
{
  public:
    void pause()
    {
        if (++spins_ == 16) {
            spins_ = 0;
            std::this_thread::yield();
        }
    }

  private:
    int spins_ = 0;
};

class gate
{
  public:
    void open()
    {
        open_.store(true, std::memory_order_release);
    }

    void pass()
    {
        waiter w;
        while (!open_.load(std::memory_order_acquire))
            w.pause();
    }

  private:
    std::atomic<bool> open_{false};
};

int main()
{
    gate g;
    int message = 0;
    std::thread one([&] {
        g.pass();
        assert(message == 5);
    });
    std::thread two([&] {
        g.pass();
        assert(message == 5);
    });
    message = 5;
    g.open();
    one.join();
    two.join();
}
