/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <optional>
#include <thread>
#include <variant>

static std::optional<std::variant<int, double>> choice;

int main()
{
    std::thread other([] { choice = 2.5; });
    bool real = choice && choice->index() == 1;
    other.join();
    return real && !choice;
}
