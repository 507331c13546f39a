/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex lock;
static int counter;

static void deferred()
{
    std::unique_lock<std::mutex> guard(lock, std::defer_lock);
    assert(!guard.owns_lock());
    guard.lock();
    counter++;
    guard.unlock();
    guard.lock();
    counter++;
}

static void attempted()
{
    std::unique_lock<std::mutex> guard(lock, std::try_to_lock);
    if (guard.owns_lock())
        counter += 10;
}

int main()
{
    std::thread a(deferred), b(attempted);
    a.join();
    b.join();
    assert(counter == 2 || counter == 12);
    std::lock_guard<std::mutex> adopted((lock.lock(), lock), std::adopt_lock);
}
