/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --fold --test=enq(1)|enq(2)|deq */
/* The queue of Michael and Scott as a class template: what it calls may throw, so that there are landing pads, and it loads
 * in a function of its own. tests/scripts/folding.sh knows how many executions are left. */
#include <plumb.h>

#include <atomic>

template <class T> class queue {
    struct node {
        std::atomic<node *> next{nullptr};
        T value;
        explicit node(T v) : value(v) {}
    };
    std::atomic<node *> head, tail;

    static node *load(const std::atomic<node *> &link)
    {
        return link.load(std::memory_order_acquire);
    }

  public:
    queue()
    {
        node *first = new node(T());
        head.store(first, std::memory_order_relaxed);
        tail.store(first, std::memory_order_relaxed);
    }

    void push(T v)
    {
        node *n = new node(v);
        for (;;) {
            node *last = load(tail), *next = load(last->next);
            if (next) {
                tail.compare_exchange_strong(last, next, std::memory_order_acq_rel);
            } else if (last->next.compare_exchange_strong(next, n, std::memory_order_acq_rel)) {
                tail.compare_exchange_strong(last, n, std::memory_order_acq_rel);
                return;
            }
        }
    }

    bool pop(T &out)
    {
        for (;;) {
            node *first = load(head), *last = load(tail), *next = load(first->next);
            if (!next)
                return false;
            if (first == last) {
                tail.compare_exchange_strong(last, next, std::memory_order_acq_rel);
            } else if (head.compare_exchange_strong(first, next, std::memory_order_acq_rel)) {
                out = next->value;
                return true;
            }
        }
    }
};

static queue<int> *q;

PLUMB_OBJECT(queue)

PLUMB_SETUP()
{
    q = new queue<int>;
}

PLUMB_OP(enq, int, v)
{
    q->push(v);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    int v;
    return q->pop(v) ? PLUMB_INT(v) : PLUMB_NONE;
}
