/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a sequence lock of a template, relaxed words, an even look before the copy, two writes */
#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <thread>

template <typename T> class seqlock
{
  public:
    void store(const T &value)
    {
        std::uint32_t words[count];
        std::memcpy(words, &value, sizeof value);
        const unsigned s = seq_.load(std::memory_order_relaxed);
        seq_.store(s + 1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release);
        for (unsigned i = 0; i < count; ++i)
            words_[i].store(words[i], std::memory_order_relaxed);
        seq_.store(s + 2, std::memory_order_release);
    }

    T load() const
    {
        std::uint32_t words[count];
        for (;;) {
            const unsigned before = seq_.load(std::memory_order_acquire);
            if (before & 1) {
                std::this_thread::yield();
                continue;
            }
            for (unsigned i = 0; i < count; ++i)
                words[i] = words_[i].load(std::memory_order_relaxed);
            std::atomic_thread_fence(std::memory_order_acquire);
            if (seq_.load(std::memory_order_relaxed) == before)
                break;
        }
        T value;
        std::memcpy(&value, words, sizeof value);
        return value;
    }

  private:
    static constexpr unsigned count = sizeof(T) / sizeof(std::uint32_t);
    std::atomic<unsigned> seq_{0};
    std::atomic<std::uint32_t> words_[count] = {};
};

struct point {
    int x, y;
};

int main()
{
    seqlock<point> place;
    std::thread writer([&] {
        place.store({1, 1});
        place.store({2, 2});
    });
    const point p = place.load();
    assert(p.x == p.y);
    writer.join();
}
