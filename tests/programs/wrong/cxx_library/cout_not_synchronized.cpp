/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* After sync_with_stdio(false) std::cout is an object like any other. */
#include <iostream>
#include <thread>

int main()
{
    std::ios::sync_with_stdio(false);
    std::thread other([] { std::cout << 1 << '\n'; });
    std::cout << 2 << '\n';
    other.join();
}
