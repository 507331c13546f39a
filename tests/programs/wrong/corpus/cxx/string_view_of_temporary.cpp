/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free|use-after-scope|use-after-return|dead-frame */
/* mode: all */
/* note: a view of a temporary string that is gone at the end of the statement */
#include <string>
#include <string_view>
#include <thread>

static std::string name()
{
    return std::string("a name that is too long to be inside");
}

int main()
{
    std::string_view view = name();
    int seen = 0;
    std::thread t([&] { seen = view[1]; });
    t.join();
    return seen != ' ';
}
