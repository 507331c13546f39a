/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <thread>

int main()
{
    int total = 0;
    std::thread t([&total] { total += 1; });
    total += 2;
    t.join();
}
