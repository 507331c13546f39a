/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* mode: all */
/* std: c++17 */
/* note: until C++20 the constructor of an atomic leaves its value open */
#include <atomic>
#include <thread>

struct node {
    std::atomic<int> value;
    node() noexcept
    {
    }
};

static std::atomic<node *> head;

int main()
{
    std::thread t([] {
        node *n = new node;
        head.store(n, std::memory_order_release);
        n->value.store(1, std::memory_order_relaxed);
    });
    if (node *n = head.load(std::memory_order_acquire))
        n->value.exchange(2, std::memory_order_relaxed);
    t.join();
    delete head.load();
}
