/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: try_push and try_pop with cached indices, callers spin around them */
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

template <typename T, std::size_t N> class spsc_queue
{
  public:
    bool try_push(const T &v)
    {
        const std::size_t w = write_.load(std::memory_order_relaxed);
        if (w - read_cache_ == N) {
            read_cache_ = read_.load(std::memory_order_acquire);
            if (w - read_cache_ == N)
                return false;
        }
        slots_[w % N] = v;
        write_.store(w + 1, std::memory_order_release);
        return true;
    }

    bool try_pop(T &v)
    {
        const std::size_t r = read_.load(std::memory_order_relaxed);
        if (r == write_cache_) {
            write_cache_ = write_.load(std::memory_order_acquire);
            if (r == write_cache_)
                return false;
        }
        v = slots_[r % N];
        read_.store(r + 1, std::memory_order_release);
        return true;
    }

  private:
    alignas(64) std::atomic<std::size_t> write_{0};
    alignas(64) std::size_t read_cache_ = 0;
    alignas(64) std::atomic<std::size_t> read_{0};
    alignas(64) std::size_t write_cache_ = 0;
    T slots_[N] = {};
};

int main()
{
    spsc_queue<int, 2> q;
    std::thread producer([&] {
        for (int i = 1; i <= 3; ++i)
            while (!q.try_push(i))
                std::this_thread::yield();
    });
    for (int i = 1; i <= 3; ++i) {
        int v;
        while (!q.try_pop(v))
            ;
        assert(v == i);
    }
    producer.join();
}
