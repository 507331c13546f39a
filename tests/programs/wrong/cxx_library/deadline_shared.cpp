/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <chrono>
#include <thread>

using namespace std::chrono_literals;
static std::chrono::steady_clock::time_point deadline;

int main()
{
    std::thread other([] { deadline += 5ms; });
    bool late = deadline < std::chrono::steady_clock::now();
    other.join();
    return !late;
}
