/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <cassert>
#include <future>
#include <thread>

int main()
{
    std::packaged_task<int(int, int)> task([](int a, int b) { return a + b; });
    std::future<int> sum = task.get_future();
    std::thread t(std::move(task), 2, 3);
    assert(sum.get() == 5);
    t.join();
}
