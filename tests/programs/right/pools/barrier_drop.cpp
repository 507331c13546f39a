/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: one arrives with a token and does something else meanwhile; one drops out after the first phase */
#include <barrier>
#include <cassert>
#include <thread>

static int phases;
static void count() noexcept
{
    phases++;
}

int main()
{
    std::barrier<void (*)() noexcept> sync(2, count);
    int a = 0, b = 0;
    std::thread stays([&] {
        a = 1;
        auto token = sync.arrive();
        int own = a;
        sync.wait(std::move(token));
        assert(own == 1 && b == 1);
        sync.arrive_and_wait();
    });
    std::thread leaves([&] {
        b = 1;
        sync.arrive_and_drop();
    });
    stays.join();
    leaves.join();
    assert(phases == 2 && sync.max() > 1);
}
