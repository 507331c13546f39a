/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <regex>
#include <string>
#include <thread>

static std::string text = "key=value";

int main()
{
    std::thread other([] { text[0] = 'K'; });
    bool matches = std::regex_match(text, std::regex(".+=.+"));
    other.join();
    return !matches;
}
