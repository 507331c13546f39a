/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

static std::recursive_mutex recursive;
static std::timed_mutex timed;
static int depth, acquired;

static void nest(int levels)
{
    std::lock_guard<std::recursive_mutex> guard(recursive);
    depth++;
    if (levels > 1)
        nest(levels - 1);
}

static int attempt()
{
    if (!timed.try_lock_for(std::chrono::milliseconds(50)))
        return 0;
    acquired++;
    timed.unlock();
    return 1;
}

int main()
{
    int other = 0;
    std::thread t([&other] {
        nest(2);
        other = attempt();
    });
    nest(2);
    int mine = attempt();
    t.join();
    assert(depth == 4 && acquired == mine + other);
}
