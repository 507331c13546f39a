/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* Two elements, one word. */
#include <thread>
#include <vector>

static std::vector<bool> flags(2);

int main()
{
    std::thread other([] { flags[0] = true; });
    flags[1] = true;
    other.join();
    return !flags[0];
}
