/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* all: skipped */
/* note: the two mutexes are named in opposite orders, and it cannot deadlock */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex first, second;
static int a, b;

int main()
{
    std::thread one([] {
        std::scoped_lock both(first, second);
        a++;
        b++;
    });
    std::thread two([] {
        std::scoped_lock both(second, first);
        a++;
        b++;
    });
    one.join();
    two.join();
    assert(a == 2 && b == 2);
}
