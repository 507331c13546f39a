/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that do what a script says, a letter for each step, with one of each of the objects that programs wait for. Every outcome, what was
 * found and in which order, is an error of its own. Compiled with and without -DPLUMB_LIBRARY_WAITS by bench/waits.sh. */
#include <atomic>
#include <barrier>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <thread>

extern "C" const char *const scripts[]; /* of each thread; null at the end */
extern "C" const int permits;

static unsigned outcome = 1;
static std::atomic<int> x{0}, y{0};
static std::mutex lock;

static void note(unsigned what)
{
    std::lock_guard<std::mutex> guard(lock);
    outcome = outcome * 7 + what;
}

struct Objects {
    explicit Objects(int downs) : semaphore(permits), latch(downs), barrier(2), future(promise.get_future().share()) {}
    std::counting_semaphore<8> semaphore;
    std::latch latch;
    std::barrier<> barrier;
    std::promise<void> promise;
    std::shared_future<void> future;
    int plain = 0;
};

static void run(Objects &o, const char *script, unsigned me)
{
    for (; *script; script++) {
        switch (*script) {
        case 'a': o.semaphore.acquire(); break;
        case 'r': o.semaphore.release(); break;
        case 't': note(3 + o.semaphore.try_acquire()); break;
        case 'd': o.latch.count_down(); break;
        case 'w': o.latch.wait(); break;
        case 'b': o.barrier.arrive_and_wait(); break;
        case 'p': o.promise.set_value(); break;
        case 'f': o.future.wait(); break;
        case 'x': x.store(1, std::memory_order_relaxed); break;
        case 'y': y.store(1, std::memory_order_relaxed); break;
        case 'X': note(5 + x.load(std::memory_order_relaxed)); break;
        case 'Y': note(5 + y.load(std::memory_order_relaxed)); break;
        case 'n': note(me); break;
        case '+': o.plain++; break;
        }
    }
}

#define OUTCOME(n)                                                                                               \
    case n: assert(!"outcome " #n); break;

static void finish()
{
    switch (outcome % 13) {
        OUTCOME(0)
        OUTCOME(1)
        OUTCOME(2)
        OUTCOME(3)
        OUTCOME(4)
        OUTCOME(5)
        OUTCOME(6)
        OUTCOME(7)
        OUTCOME(8)
        OUTCOME(9)
        OUTCOME(10)
        OUTCOME(11)
        OUTCOME(12)
    }
}

int main()
{
    int downs = 0;
    unsigned count = 0;
    for (; scripts[count]; count++)
        for (const char *s = scripts[count]; *s; s++)
            downs += *s == 'd';
    Objects o(downs);
    std::thread threads[3];
    for (unsigned i = 1; i < count; i++)
        threads[i] = std::thread([&o, i] { run(o, scripts[i], i); });
    run(o, scripts[0], 0);
    for (unsigned i = 1; i < count; i++)
        threads[i].join();
    finish();
}
