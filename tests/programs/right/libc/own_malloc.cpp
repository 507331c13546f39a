/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: operators new and delete, strings and threads of a program with a malloc of its own */
#include <atomic>
#include <cassert>
#include <cstddef>
#include <string>
#include <thread>

alignas(16) static char room[1 << 16];
static std::atomic<std::size_t> used;
static std::atomic<int> live;

extern "C" void *malloc(std::size_t size)
{
    size = (size + 15) & ~std::size_t{15};
    live.fetch_add(1);
    return room + used.fetch_add(size);
}

extern "C" void free(void *p)
{
    if (p)
        live.fetch_sub(1);
}

int main()
{
    std::thread other([] { delete new int(1); });
    int *p = new int(2);
    assert(reinterpret_cast<char *>(p) >= room && reinterpret_cast<char *>(p) < room + sizeof room);
    delete p;
    other.join();
    std::string text(100, 'x');
    assert(text.size() == 100);
}
