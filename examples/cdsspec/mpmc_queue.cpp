// SPDX-License-Identifier: Apache-2.0
// A bounded queue for many producers and many consumers, which work on its slots in place: write_prepare gives a free slot,
// write_publish hands it over, read_fetch gives one that was published, read_consume makes it free again. A slot's turn says whose it is.
//
//   (none)       two threads, each of which enqueues and dequeues an item; no slot is used twice
//   -DEXTENDED   one slot for both items: it is used again
#include <atomic>
#include <functional>
#include <thread>

template <typename T, unsigned size> class MpmcQueue {
    enum State { FREE, PREPARED, PUBLISHED, FETCHED };
    /** @Structure_Define:
        @DeclareVar: State _slots[size];
        @InitVar: for (State &slot : _slots) slot = FREE;
        @Happens_Before: Publish->Fetch(got) Consume->Prepare(got) */
    struct Slot {
        std::atomic<unsigned> turn; // 2 * round: free; one more: published
        T item;
    };
    Slot slots[size];
    std::atomic<unsigned> written, read;

  public:
    MpmcQueue()
    {
        for (Slot &slot : slots)
            std::atomic_init(&slot.turn, 0U);
        std::atomic_init(&written, 0U);
        std::atomic_init(&read, 0U);
    }

    T &operator[](int slot)
    {
        return slots[slot].item;
    }

    // The number of the slot; -1: there is none.
    /** @Interface: Prepare
        @Ordering_Point_Set: Prepare_Count | Prepare_Turn
        @ID: __RET__
        @HB_Condition: got :: __RET__ >= 0
        @PreCondition: __RET__ < 0 || _slots[__RET__] == FREE
        @SideEffect: if (__RET__ >= 0) _slots[__RET__] = PREPARED; */
    int write_prepare()
    {
        unsigned ticket = written.load(std::memory_order_relaxed);
        for (;;) {
            unsigned turn = slots[ticket % size].turn.load(std::memory_order_acquire);
            /** @Potential_Ordering_Point: true
                @Label: Saw_Turn */
            unsigned mine = ticket;
            if (turn == 2 * (ticket / size)) {
                if (written.compare_exchange_strong(ticket, ticket + 1, std::memory_order_relaxed)) {
                    /** @Ordering_Point_Label_Check: true
                        @Label: Prepare_Count */
                    /** @Ordering_Point_Check: true
                        @Potential_Ordering_Point_Label: Saw_Turn
                        @Label: Prepare_Turn */
                    return mine % size;
                }
            } else {
                ticket = written.load(std::memory_order_relaxed);
                if (ticket == mine)
                    return -1;
            }
        }
    }

    /** @Interface: Publish
        @Ordering_Point_Set: Publish_Turn
        @ID: slot
        @PreCondition: _slots[slot] == PREPARED
        @SideEffect: _slots[slot] = PUBLISHED; */
    void write_publish(int slot)
    {
        unsigned turn = slots[slot].turn.load(std::memory_order_relaxed);
        slots[slot].turn.store(turn + 1, std::memory_order_release);
        /** @Ordering_Point_Label_Check: true
            @Label: Publish_Turn */
    }

    /** @Interface: Fetch
        @Ordering_Point_Set: Fetch_Count | Fetch_Turn
        @ID: __RET__
        @HB_Condition: got :: __RET__ >= 0
        @PreCondition: __RET__ < 0 || _slots[__RET__] == PUBLISHED
        @SideEffect: if (__RET__ >= 0) _slots[__RET__] = FETCHED; */
    int read_fetch()
    {
        unsigned ticket = read.load(std::memory_order_relaxed);
        for (;;) {
            unsigned turn = slots[ticket % size].turn.load(std::memory_order_acquire);
            /** @Potential_Ordering_Point: true
                @Label: Saw_Turn */
            unsigned mine = ticket;
            if (turn == 2 * (ticket / size) + 1) {
                if (read.compare_exchange_strong(ticket, ticket + 1, std::memory_order_relaxed)) {
                    /** @Ordering_Point_Label_Check: true
                        @Label: Fetch_Count */
                    /** @Ordering_Point_Check: true
                        @Potential_Ordering_Point_Label: Saw_Turn
                        @Label: Fetch_Turn */
                    return mine % size;
                }
            } else {
                ticket = read.load(std::memory_order_relaxed);
                if (ticket == mine)
                    return -1;
            }
        }
    }

    /** @Interface: Consume
        @Ordering_Point_Set: Consume_Turn
        @ID: slot
        @PreCondition: _slots[slot] == FETCHED
        @SideEffect: _slots[slot] = FREE; */
    void read_consume(int slot)
    {
        unsigned turn = slots[slot].turn.load(std::memory_order_relaxed);
        slots[slot].turn.store(turn + 1, std::memory_order_release);
        /** @Ordering_Point_Label_Check: true
            @Label: Consume_Turn */
    }
};

#ifdef EXTENDED
using Queue = MpmcQueue<std::atomic<int>, 1>;
#else
using Queue = MpmcQueue<std::atomic<int>, 2>;
#endif

static void worker(Queue &queue, int value)
{
    int slot = queue.write_prepare();
    if (slot >= 0) {
        queue[slot].store(value, std::memory_order_relaxed);
        queue.write_publish(slot);
    }
    slot = queue.read_fetch();
    if (slot >= 0) {
        queue[slot].load(std::memory_order_relaxed);
        queue.read_consume(slot);
    }
}

int main()
{
    Queue queue;
    std::thread one(worker, std::ref(queue), 1), two(worker, std::ref(queue), 2);
    one.join();
    two.join();
}
