/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* Several threads may print at the same time. */
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <thread>

int main()
{
    std::thread other([] {
        std::cout << "other " << std::setw(5) << 1 << ' ' << 2.5 << std::endl;
        std::cerr << "other\n";
    });
    std::cout << "main " << std::hex << 255 << std::dec << '\n' << std::flush;
    std::clog << true << std::endl;
    std::printf("%d\n", 3);
    other.join();
}
