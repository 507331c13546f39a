/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: a destructor writes what may not be read afterwards */
#include <atomic>
#include <new>
#include <thread>

struct record {
    int state = 1;
    ~record() { state = 0; }
};

int main()
{
    alignas(record) static unsigned char room[sizeof(record)];
    static std::atomic<record *> shared{nullptr};
    static int got;
    std::thread t([] {
        if (record *r = shared.load(std::memory_order_acquire))
            got = r->state;
    });
    record *r = new (room) record;
    shared.store(r, std::memory_order_release);
    r->~record();
    t.join();
    return 0;
}
