/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: deadlock|livelock|endless */
/* note: front() and pop(); wrong: the consumer waits for one item more than there is */
#include <atomic>
#include <cassert>
#include <thread>

class ring
{
  public:
    void push(int v)
    {
        const unsigned w = write_.load(std::memory_order_relaxed), next = (w + 1) % capacity;
        while (next == read_cache_)
            read_cache_ = read_.load(std::memory_order_acquire);
        data_[w] = v;
        write_.store(next, std::memory_order_release);
    }

    int *front()
    {
        const unsigned r = read_.load(std::memory_order_relaxed);
        if (r == write_cache_) {
            write_cache_ = write_.load(std::memory_order_acquire);
            if (r == write_cache_)
                return nullptr;
        }
        return &data_[r];
    }

    void pop()
    {
        const unsigned r = read_.load(std::memory_order_relaxed);
        read_.store((r + 1) % capacity, std::memory_order_release);
    }

  private:
    static constexpr unsigned capacity = 2; // one place is always empty
    std::atomic<unsigned> write_{0}, read_{0};
    unsigned read_cache_ = 0, write_cache_ = 0;
    int data_[capacity] = {};
};

int main()
{
#ifdef WRONG
    constexpr int wanted = 3;
#else
    constexpr int wanted = 2;
#endif
    ring q;
    std::thread producer([&] {
        q.push(0);
        q.push(1);
    });
    for (int i = 0; i < wanted; ++i) {
        while (!q.front())
            ;
        assert(*q.front() == i);
        q.pop();
    }
    producer.join();
}
