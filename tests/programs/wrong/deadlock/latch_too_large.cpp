/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* std: c++20 */
#include <latch>
#include <thread>

int main()
{
    std::latch ready(3);
    std::thread a([&ready] { ready.count_down(); });
    std::thread b([&ready] { ready.count_down(); });
    ready.wait();
    a.join();
    b.join();
}
