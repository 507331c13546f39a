/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* std: c++20 */
/* note: since C++20 the constructor without arguments writes 0 */
#include <atomic>
#include <thread>

int main()
{
    std::atomic<int> x;
    std::thread t([&x] { x.fetch_add(1); });
    t.join();
}
