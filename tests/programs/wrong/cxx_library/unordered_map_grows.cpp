/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <string>
#include <thread>
#include <unordered_map>

static std::unordered_map<std::string, int> ages{{"a", 1}};

int main()
{
    std::thread other([] { ages.reserve(100); });
    int age = ages.at("a");
    other.join();
    return age != 1;
}
