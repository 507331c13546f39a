/* SPDX-License-Identifier: Apache-2.0 */
/* std::atomic_flag as a lock around a counter. */
#include <atomic>
#include <cassert>
#include <thread>

using std::memory_order_acq_rel, std::memory_order_acquire, std::memory_order_relaxed,
    std::memory_order_release, std::memory_order_seq_cst;

static std::atomic_flag taken = ATOMIC_FLAG_INIT;
static int count;

static void add()
{
    if (taken.test_and_set(A))
        return;
    count++;
    taken.clear(B);
}

int main()
{
    std::thread one(add), two(add);
    one.join();
    two.join();
    assert(count >= 1);
}
