/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* runs: 200 */
/* note: std::regex fills a cache of std::ctype<char>, a variable of the library, without a lock */
#include <cassert>
#include <regex>
#include <string>
#include <thread>

static void search()
{
    std::smatch match;
    const std::string text = "xabbb";
    assert(std::regex_search(text, match, std::regex("a(b+)")));
}

int main()
{
    std::thread other(search);
    search();
    other.join();
    return 0;
}
