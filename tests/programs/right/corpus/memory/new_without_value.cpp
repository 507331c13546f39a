/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* std: c++17 */
#include <atomic>
#include <thread>

int main()
{
    auto *slots = new std::atomic<int>[2];
    slots[0].store(1);
    slots[1].store(0);
    int seen = 0;
    std::thread t([&] { seen = slots[1].load(); });
    t.join();
    delete[] slots;
    return seen & 0;
}
