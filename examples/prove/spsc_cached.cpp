/* SPDX-License-Identifier: Apache-2.0 */
// A ring for one producer and one consumer in C++, in which each side remembers how far the other one had come.
#include <atomic>
#include <optional>
#include <plumb.h>

namespace
{

template <typename T, unsigned char Slots> class ring
{
    alignas(64) std::atomic<unsigned char> written{0};
    unsigned char removed_seen = 0;
    alignas(64) std::atomic<unsigned char> removed{0};
    unsigned char written_seen = 0;
    alignas(64) T slots[Slots]{};

    static unsigned char next(unsigned char i)
    {
        return static_cast<unsigned char>(i + 1 == Slots ? 0 : i + 1);
    }

  public:
    bool push(T v)
    {
        unsigned char w = written.load(std::memory_order_relaxed);
        if (next(w) == removed_seen) {
            removed_seen = removed.load(std::memory_order_acquire);
            if (next(w) == removed_seen)
                return false;
        }
        slots[w] = v;
        written.store(next(w), std::memory_order_release);
        return true;
    }

    std::optional<T> pop()
    {
        unsigned char r = removed.load(std::memory_order_relaxed);
        if (r == written_seen) {
            written_seen = written.load(std::memory_order_acquire);
            if (r == written_seen)
                return std::nullopt;
        }
        T v = slots[r];
        removed.store(next(r), std::memory_order_release);
        return v;
    }
};

ring<int, 4> q;

} // namespace

PLUMB_OBJECT(queue(cap = 3))
PLUMB_ROLE(producer, enq)
PLUMB_ROLE(consumer, deq)

PLUMB_OP(enq, int, v)
{
    return q.push(v) ? PLUMB_OK : PLUMB_BOOL(false);
}

PLUMB_OP(deq)
{
    std::optional<int> v = q.pop();
    return v ? PLUMB_INT(*v) : PLUMB_NONE;
}
