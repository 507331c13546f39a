/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated exception */
#include <atomic>
#include <thread>

static std::atomic<int> value{0};

static void check(int seen)
{
    if (seen)
        throw seen;
}

static void strict(int seen) noexcept
{
    check(seen);
}

int main()
{
    std::thread t([] { value.store(1); });
    try {
        strict(value.load());
    } catch (int) {
    }
    t.join();
}
