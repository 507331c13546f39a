/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <atomic>
#include <cassert>
#include <cstdint>
#include <new>
#include <thread>

struct alignas(64) line {
    int value = 1;
};

static std::atomic<line *> given{nullptr};

int main()
{
    std::thread giver([] {
        line *one = new line;
        assert(reinterpret_cast<std::uintptr_t>(one) % 64 == 0);
        one->value = 2;
        given.store(one);
    });
    int *array = new int[10]();
    assert(array[9] == 0);
    delete[] array;
    void *raw = ::operator new(16, std::nothrow);
    assert(raw);
    ::operator delete(raw);
    giver.join();
    assert(given.load()->value == 2);
    delete given.load();
}
