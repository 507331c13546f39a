/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* known-gcc-11: holds */
/* mode: dfs */
/* std: c++17 */
/* note: before C++20 the constructor without arguments leaves the value as it is */
#include <atomic>
#include <thread>

int main()
{
    std::atomic<int> x;
    std::thread t([&x] { x.fetch_add(1); });
    t.join();
}
