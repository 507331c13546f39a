/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* A facet of the library writes the number. */
#include <sstream>
#include <thread>

static long number;

int main()
{
    std::thread other([] { std::istringstream("42") >> number; });
    bool odd = number % 2;
    other.join();
    return odd;
}
