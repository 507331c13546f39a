/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex lock;
static int counter;

static void add()
{
    std::lock_guard<std::mutex> guard(lock);
    counter++;
}

int main()
{
    std::thread a(add), b(add);
    a.join();
    b.join();
    assert(counter == 2);
}
