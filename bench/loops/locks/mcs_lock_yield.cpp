/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: race */
/* wrong-sc: holds */
/* wrong-tso: holds */
/* note: MCS with guards on the stack: waits for its turn, and for its successor to link itself */
#include <atomic>
#include <cassert>
#include <thread>

class mcs_lock
{
  public:
    class guard
    {
      public:
        explicit guard(mcs_lock &l) : lock_(l)
        {
            guard *before = lock_.tail_.exchange(this, std::memory_order_acq_rel);
            if (!before)
                return;
            before->next_.store(this, std::memory_order_release);
            while (waiting_.load(std::memory_order_acquire))
                std::this_thread::yield();
        }

        ~guard()
        {
            guard *self = this;
            if (!next_.load(std::memory_order_acquire)) {
                if (lock_.tail_.compare_exchange_strong(self, nullptr, std::memory_order_release,
                                                        std::memory_order_relaxed))
                    return;
                while (!next_.load(std::memory_order_acquire))
                    std::this_thread::yield();
            }
#ifdef WRONG
            next_.load(std::memory_order_relaxed)->waiting_.store(false, std::memory_order_relaxed);
#else
            next_.load(std::memory_order_relaxed)->waiting_.store(false, std::memory_order_release);
#endif
        }

      private:
        mcs_lock &lock_;
        std::atomic<guard *> next_{nullptr};
        std::atomic<bool> waiting_{true};
    };

  private:
    std::atomic<guard *> tail_{nullptr};
};

int main()
{
    mcs_lock lock;
    int counter = 0;
    auto run = [&] {
        mcs_lock::guard g(lock);
        ++counter;
    };
    std::thread one(run), two(run);
    run();
    one.join();
    two.join();
    assert(counter == 3);
}
