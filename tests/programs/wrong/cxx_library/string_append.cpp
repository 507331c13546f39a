/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* Inside of the library it would not be seen: the string is longer than the short ones. */
#include <string>
#include <thread>

static std::string text(20, 'a');

int main()
{
    std::thread other([] { text.append(100, 'b'); });
    bool found = text.find('b') != std::string::npos;
    other.join();
    return found && text.empty();
}
