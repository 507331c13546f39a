/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* std: c++20 */
/* note: waiting on 8 bytes and on a bool goes through a table of proxies */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<long long> wide{0};
static std::atomic<bool> open{false};

int main()
{
    std::thread t([] {
        wide.store(1LL << 40);
        wide.notify_all();
        open.store(true);
        open.notify_one();
    });
    wide.wait(0);
    open.wait(false);
    assert(wide == 1LL << 40 && open);
    t.join();
}
