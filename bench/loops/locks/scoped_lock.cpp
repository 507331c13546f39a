/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: std::scoped_lock(a, b) against (b, a), and a third thread with one of them */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex a, b;
static int in_a, in_b;

int main()
{
    std::thread one([] {
        std::scoped_lock guard(a, b);
        ++in_a;
        ++in_b;
    });
    std::thread two([] {
        std::scoped_lock guard(b, a);
        ++in_a;
        ++in_b;
    });
    {
        std::lock_guard guard(a);
        ++in_a;
    }
    one.join();
    two.join();
    assert(in_a == 3 && in_b == 2);
}
