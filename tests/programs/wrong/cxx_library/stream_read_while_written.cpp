/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* str() against a number that is written. */
#include <sstream>
#include <thread>

static std::ostringstream out;

int main()
{
    std::thread other([] { out << 42; });
    bool empty = out.str().empty();
    other.join();
    return empty && out.str().empty();
}
