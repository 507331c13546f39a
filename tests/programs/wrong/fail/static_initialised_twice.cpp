/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: a hand-made lazy initialisation with an atomic flag */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> initialised{false};
static std::atomic<int> constructed{0};

static void use()
{
    if (!initialised.load()) {
        constructed++;
        initialised.store(true);
    }
}

int main()
{
    std::thread a(use), b(use);
    a.join();
    b.join();
    assert(constructed == 1);
}
