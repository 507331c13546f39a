/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated destroy-in-use */
/* mode: dfs */
/* note: the unlock is left out on the way that deletes the object */
#include <mutex>

struct counted {
    std::mutex mutex;
    int count = 1;
};

static void drop(counted *c)
{
    c->mutex.lock();
    bool last = --c->count == 0;
#ifdef RIGHT
    c->mutex.unlock();
#endif
    if (last)
        delete c;
}

int main()
{
    drop(new counted);
}
