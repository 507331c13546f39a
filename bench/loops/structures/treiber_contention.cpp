/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: race */
/* wrong-sc: holds */
/* wrong-tso: holds */
/* note: a stack that counts its failed exchanges per thread and backs off in proportion */
#include <atomic>
#include <cassert>
#include <thread>

struct node {
    int value;
    node *next;
};

static std::atomic<node *> top{nullptr};
static thread_local unsigned long failures;

static void back_off()
{
    ++failures;
    for (unsigned long i = 0; i < failures; ++i)
        std::this_thread::yield();
}

static void push(node *n)
{
#ifdef WRONG
    constexpr auto publish = std::memory_order_relaxed;
#else
    constexpr auto publish = std::memory_order_release;
#endif
    n->next = top.load(std::memory_order_relaxed);
    while (!top.compare_exchange_weak(n->next, n, publish, std::memory_order_relaxed))
        back_off();
}

static node *pop()
{
    node *n = top.load(std::memory_order_acquire);
    while (n && !top.compare_exchange_weak(n, n->next, std::memory_order_acquire, std::memory_order_acquire))
        back_off();
    return n;
}

int main()
{
    static node one{1, nullptr}, two{2, nullptr};
    std::thread a([] { push(&one); });
    std::thread b([] { push(&two); });
    node *n = pop();
    const int taken = n ? n->value : 0;
    a.join();
    b.join();
    int left = 0;
    while (node *rest = pop())
        left += rest->value;
    assert(taken + left == 3);
}
