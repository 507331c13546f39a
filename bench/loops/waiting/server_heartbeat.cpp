/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* bounded: yes */
/* note: a detached thread that works forever: it beats, and flushes what it finds */
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

struct journal {
    std::mutex m;
    std::vector<int> pending;
    std::atomic<int> flushed{0};
    std::atomic<unsigned> beats{0};
};

static journal j;

static void flusher()
{
    for (;;) {
        j.beats.fetch_add(1, std::memory_order_relaxed);
        std::vector<int> batch;
        {
            std::lock_guard guard(j.m);
            batch.swap(j.pending);
        }
        for (int item : batch)
            j.flushed.fetch_add(item);
        std::this_thread::yield();
    }
}

int main()
{
    std::thread(flusher).detach();
    {
        std::lock_guard guard(j.m);
        j.pending.push_back(1);
    }
    int seen = j.flushed.load();
    assert(seen == 0 || seen == 1);
    std::quick_exit(0);
}
