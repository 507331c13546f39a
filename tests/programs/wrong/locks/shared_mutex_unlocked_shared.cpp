/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* std: c++17 */
#include <mutex>
#include <shared_mutex>

static std::shared_timed_mutex mutex;

int main()
{
    mutex.lock();
    std::shared_lock<std::shared_timed_mutex> lock(mutex, std::adopt_lock);
}
