/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated undefined */
/* mode: dfs */
/* flags: -Wno-return-type */
/* note: a function that is to return a value ends without */
#include <atomic>
#include <thread>

static std::atomic<int> flag;

static int choose(int seen)
{
    if (seen == 0)
        return 1;
}

int main()
{
    std::thread t([] { flag = 1; });
    int chosen = choose(flag);
    t.join();
    return chosen - 1;
}
