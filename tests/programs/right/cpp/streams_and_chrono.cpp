/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <cassert>
#include <chrono>
#include <sstream>
#include <string>
#include <thread>

static std::string describe(int n)
{
    std::ostringstream out;
    out << "n=" << n << " x=" << 1.5 * n;
    return out.str();
}

int main()
{
    auto before = std::chrono::steady_clock::now();
    std::string theirs;
    std::thread t([&theirs] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        theirs = describe(2);
    });
    std::string mine = describe(3);
    t.join();
    assert(theirs == "n=2 x=3" && mine == "n=3 x=4.5");
    assert(std::chrono::steady_clock::now() >= before);
}
