/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: a flag that is looked at under a lock; the first call of a library's function leaves something else on the stack than later ones */
#include <mutex>
#include <thread>

struct shared {
    std::mutex lock;
    bool ready = false;
};

int main()
{
    auto s = new shared;
    std::thread other([s] {
        std::lock_guard guard(s->lock);
        s->ready = true;
    });
    for (;;) {
        s->lock.lock();
        bool ready = s->ready;
        s->lock.unlock();
        if (ready)
            break;
    }
    other.join();
    delete s;
}
