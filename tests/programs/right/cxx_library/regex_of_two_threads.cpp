/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* A regular expression that is never changed; locales are shared by counting. */
#include <regex>
#include <string>
#include <thread>

static const std::regex pattern("(\\w+)=(\\d+)");

static void match(const char *text)
{
    std::cmatch parts;
    if (!std::regex_match(text, parts, pattern) || parts.size() != 3)
        throw 1;
}

int main()
{
    std::thread other(match, "a=1");
    match("b=22");
    other.join();
}
