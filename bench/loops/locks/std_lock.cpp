/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: deadlock */
/* note: std::lock in opposite orders, guards that adopt; wrong: one mutex after the other */
#include <cassert>
#include <mutex>
#include <thread>

struct account {
    std::mutex m;
    int money = 10;
};

static void transfer(account &from, account &to, int amount)
{
#ifdef WRONG
    from.m.lock();
    to.m.lock();
#else
    std::lock(from.m, to.m);
#endif
    std::lock_guard<std::mutex> f(from.m, std::adopt_lock), t(to.m, std::adopt_lock);
    from.money -= amount;
    to.money += amount;
}

int main()
{
    account a, b;
    std::thread one([&] { transfer(a, b, 5); });
    std::thread two([&] { transfer(b, a, 3); });
    one.join();
    two.join();
    assert(a.money == 8 && b.money == 12);
}
