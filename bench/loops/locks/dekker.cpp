/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: deadlock|livelock|endless */
/* note: Dekker's lock: the one whose turn it is not takes its wish back and waits; wrong: nobody hands the turn on */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> wants[2];
static std::atomic<int> turn{0};
static int counter;

static void enter(int self)
{
    const int other = 1 - self;
    wants[self] = true;
    while (wants[other]) {
        if (turn == self)
            continue;
        wants[self] = false;
        while (turn != self)
            std::this_thread::yield();
        wants[self] = true;
    }
}

static void leave(int self)
{
#ifndef WRONG
    turn = 1 - self;
#endif
    wants[self] = false;
}

int main()
{
    auto run = [](int self) {
        enter(self);
        ++counter;
        leave(self);
    };
    std::thread one(run, 0), two(run, 1);
    one.join();
    two.join();
    assert(counter == 2);
}
