/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: a global object maps memory, which holds the same at the start of every execution */
#include <atomic>
#include <cassert>
#include <sys/mman.h>
#include <thread>

struct arena {
    std::atomic<int> *used;
    arena()
    {
        char *all = static_cast<char *>(
            mmap(nullptr, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        munmap(all, 4096);
        munmap(all + 3 * 4096, (1 << 16) - 3 * 4096);
        used = reinterpret_cast<std::atomic<int> *>(all + 4096);
        *used = 3;
    }
};

static arena a;

int main()
{
    std::thread t([] { a.used->fetch_add(1); });
    a.used->fetch_add(1);
    t.join();
    assert(a.used->load() == 5);
}
