/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: dfs */
/* std: c++20 */
#include <atomic>
#include <thread>

static std::atomic<int> stage{0};

int main()
{
    std::thread t([] { stage.store(1); });
    stage.wait(0);
    t.join();
}
