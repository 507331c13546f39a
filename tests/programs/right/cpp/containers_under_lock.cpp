/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

static std::mutex lock;
static std::map<std::string, int> ordered;
static std::unordered_map<int, std::vector<int>> hashed;

static void fill(int base)
{
    for (int i = 0; i < 3; i++) {
        std::lock_guard guard(lock);
        ordered["key number " + std::to_string(i) + " of the map"] += base;
        hashed[i].push_back(base);
    }
}

int main()
{
    std::thread a(fill, 1), b(fill, 10);
    a.join();
    b.join();
    assert(ordered.size() == 3 && hashed.size() == 3);
    for (auto &entry : ordered)
        assert(entry.second == 11);
    for (auto &entry : hashed)
        assert(entry.second.size() == 2);
}
