/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* runs: 200 */
/* note: without <iostream> the library makes its locale in the first execution; the second needs the same one */
#include <cassert>
#include <regex>

int main()
{
    assert(std::regex_match("abbb", std::regex("a(b+)")));
    return 0;
}
