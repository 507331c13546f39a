/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a constructor that throws leaves the object for the next caller to construct */
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread>

static std::atomic<int> attempts{0}, failures{0};

struct fragile {
    int value;
    fragile()
    {
        if (attempts++ == 0)
            throw std::runtime_error("not yet");
        value = 1;
    }
};

static void use()
{
    try {
        static fragile object;
        assert(object.value == 1);
    } catch (const std::runtime_error &) {
        failures++;
    }
}

int main()
{
    std::thread a(use), b(use);
    a.join();
    b.join();
    use();
    assert(attempts == 2 && failures == 1);
}
