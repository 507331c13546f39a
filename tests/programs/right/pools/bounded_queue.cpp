/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a template with two condition variables; two producers, two consumers, room for two */
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

template <class T> class BoundedQueue
{
  public:
    explicit BoundedQueue(std::size_t n) : capacity(n)
    {
    }
    void push(T item)
    {
        std::unique_lock guard(lock);
        not_full.wait(guard, [this] { return items.size() < capacity; });
        items.push_back(std::move(item));
        guard.unlock();
        not_empty.notify_one();
    }
    T pop()
    {
        std::unique_lock guard(lock);
        not_empty.wait(guard, [this] { return !items.empty(); });
        T item = std::move(items.front());
        items.pop_front();
        guard.unlock();
        not_full.notify_one();
        return item;
    }

  private:
    std::mutex lock;
    std::condition_variable not_full, not_empty;
    std::deque<T> items;
    std::size_t capacity;
};

int main()
{
    BoundedQueue<int> queue(1);
    int a = 0, b = 0;
    std::thread p([&] { queue.push(1); }), q([&] { queue.push(2); });
    std::thread c([&] { a = queue.pop(); }), d([&] { b = queue.pop(); });
    p.join();
    q.join();
    c.join();
    d.join();
    assert(a + b == 3);
}
