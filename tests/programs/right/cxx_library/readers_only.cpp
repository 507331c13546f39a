/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* Two threads that only read need no lock. */
#include <list>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>

static const std::map<int, std::string> names{
    {1, "one"}, {2, "two"}, {3, "a name that is longer than short ones"}};
static const std::set<int> numbers{5, 6, 7};
static const std::list<int> steps{1, 2};
static const std::unordered_map<std::string, int> ages{{"a", 1}, {"b", 2}};

static void look()
{
    size_t sum = ages.at("b");
    for (auto &entry : names)
        sum += entry.second.size() + entry.second.find('o');
    for (auto i = numbers.rbegin(); i != numbers.rend(); ++i)
        sum += *i;
    for (int step : steps)
        sum += step;
    if (sum == 0 || names.lower_bound(2)->first != 2)
        throw sum;
}

int main()
{
    std::thread other(look);
    look();
    other.join();
}
