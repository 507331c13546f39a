/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: dfs */
/* known: holds */
/* std: c++17 */
/* named: std::hash<std::thread::id> not tried */
#include <cassert>
#include <thread>
int main()
{
    std::thread t([] { assert(std::hash<std::thread::id>()(std::this_thread::get_id()) % 2 == 0); });
    t.join();
}
