/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: readers and writers of a table */
#include <cassert>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

class Table
{
  public:
    int get(int key) const
    {
        std::shared_lock guard(lock);
        auto it = entries.find(key);
        return it == entries.end() ? 0 : it->second;
    }
    void put(int key, int value)
    {
        std::unique_lock guard(lock);
        entries[key] = value;
    }

  private:
    mutable std::shared_mutex lock;
    std::map<int, int> entries;
};

int main()
{
    Table table;
    int seen[2];
    std::thread writer([&] { table.put(1, 7); }), other([&] { table.put(2, 8); });
    std::thread reader([&] { seen[0] = table.get(1); }), last([&] { seen[1] = table.get(2); });
    writer.join();
    other.join();
    reader.join();
    last.join();
    assert(seen[0] == 0 || seen[0] == 7);
    assert(seen[1] == 0 || seen[1] == 8);
    assert(table.get(1) == 7 && table.get(2) == 8);
}
