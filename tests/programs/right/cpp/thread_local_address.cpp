/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the address of a thread-local object is good in other threads while its thread lives */
#include <cassert>
#include <semaphore>
#include <thread>

static thread_local int mine = 1;

int main()
{
    int *theirs = nullptr;
    std::binary_semaphore given{0}, used{0};
    std::thread t([&] {
        theirs = &mine;
        given.release();
        used.acquire();
        assert(mine == 7);
    });
    given.acquire();
    assert(theirs != &mine && *theirs == 1);
    *theirs = 7;
    used.release();
    t.join();
    assert(mine == 1);
}
