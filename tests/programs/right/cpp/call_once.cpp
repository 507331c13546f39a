/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag once;
static int value;

static void use()
{
    std::call_once(once, [](int start) { value += start; }, 8);
    assert(value == 8);
}

int main()
{
    std::thread a(use), b(use);
    a.join();
    b.join();
    assert(value == 8);
}
