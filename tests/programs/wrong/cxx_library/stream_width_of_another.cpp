/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* A number uses up the width of its stream. */
#include <iomanip>
#include <sstream>
#include <thread>

static std::ostringstream out;

int main()
{
    std::thread other([] { out.width(8); });
    out << 42;
    other.join();
}
