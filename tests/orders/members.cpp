/* SPDX-License-Identifier: Apache-2.0 */
/* Members of std::atomic, one of them an argument of another one. */
#include <atomic>
#include <cassert>
#include <thread>

using std::memory_order_acq_rel, std::memory_order_acquire, std::memory_order_relaxed,
    std::memory_order_release, std::memory_order_seq_cst;

static std::atomic<int> ready{0}, copied{0};
static int message;

int main()
{
    std::thread sender([] {
        message = 1;
        ready.store(1, A);
    });
    std::thread courier([] { copied.fetch_add(ready.load(B), memory_order_acq_rel); });
    std::thread receiver([] {
        if (copied.exchange(0, C))
            assert(message == 1);
    });
    sender.join();
    courier.join();
    receiver.join();
}
