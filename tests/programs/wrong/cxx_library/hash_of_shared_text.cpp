/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* The library's hash function reads the text. */
#include <string>
#include <string_view>
#include <thread>

static char text[] = "a text to hash";

int main()
{
    std::thread other([] { text[0] = 'A'; });
    auto hash = std::hash<std::string_view>()(std::string_view(text, sizeof text - 1));
    other.join();
    return hash == 1;
}
