/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated exception */
#include <atomic>
#include <stdexcept>
#include <thread>

static std::atomic<int> turn{0};

int main()
{
    std::thread t([] {
        if (turn.load() == 1)
            throw std::runtime_error("not caught in the thread");
    });
    turn.store(1);
    t.join();
}
