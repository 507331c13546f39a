/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: both are one function of POSIX, so that it works; the standard says that it need not */
#include <shared_mutex>
#include <thread>

#ifndef UNLOCK
#define UNLOCK unlock
#endif

static std::shared_mutex mutex;
static std::shared_timed_mutex timed;
static int value;

static int get()
{
    mutex.lock_shared();
    int found = value;
    mutex.UNLOCK();
    return found;
}

int main()
{
    std::thread writer([] {
        std::unique_lock<std::shared_mutex> lock(mutex);
        value++;
    });
    get();
    writer.join();
    std::shared_lock<std::shared_timed_mutex> lock(timed, std::chrono::seconds(1));
    return value - 1;
}
