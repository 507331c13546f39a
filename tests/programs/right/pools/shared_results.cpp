/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: two workers hold one object by shared pointers; the last one destroys it */
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

struct Results {
    explicit Results(int &d) : destroyed(d)
    {
    }
    ~Results()
    {
        destroyed++;
    }
    std::mutex lock;
    std::condition_variable full;
    int count = 0;
    int &destroyed;
};

static void add(std::shared_ptr<Results> r)
{
    std::lock_guard guard(r->lock);
    if (++r->count == 2)
        r->full.notify_one();
}

int main()
{
    int destroyed = 0;
    auto results = std::make_shared<Results>(destroyed);
    std::thread a(add, results), b(add, results);
    {
        std::unique_lock guard(results->lock);
        results->full.wait(guard, [&] { return results->count == 2; });
    }
    results.reset();
    a.join();
    b.join();
    assert(destroyed == 1);
}
