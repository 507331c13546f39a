/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* mode: all */
/* std: c++17 */
/* note: new std::atomic<int>[2] of C++17 has no values; the second one is never stored */
#include <atomic>
#include <thread>

int main()
{
    auto *slots = new std::atomic<int>[2];
    slots[0].store(1);
    int seen = 0;
    std::thread t([&] { seen = slots[1].load(); });
    t.join();
    delete[] slots;
    return seen & 0;
}
