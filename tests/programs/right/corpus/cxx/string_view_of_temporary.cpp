/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <string>
#include <string_view>
#include <thread>

static std::string name()
{
    return std::string("a name that is too long to be inside");
}

int main()
{
    std::string view = name();
    int seen = 0;
    std::thread t([&] { seen = view[1]; });
    t.join();
    return seen != ' ';
}
