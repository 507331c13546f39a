/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a call that throws does not count; the next one sees what it wrote */
#include <atomic>
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::once_flag once;
static std::atomic<int> failures{0};
static int attempts;

static void initialise()
{
    if (++attempts == 1)
        throw std::runtime_error("the first one fails");
}

static void use()
{
    try {
        std::call_once(once, initialise);
        assert(attempts == 2);
    } catch (const std::runtime_error &) {
        failures++;
    }
}

int main()
{
    std::thread a(use), b(use);
    a.join();
    b.join();
    assert(failures == 1 && attempts == 2);
}
