/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <sstream>
#include <string>
#include <thread>

static std::istringstream lines("first\nsecond\n");

static void next()
{
    std::string line;
    std::getline(lines, line);
}

int main()
{
    std::thread other(next);
    next();
    other.join();
}
