/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the compiler's guard makes the first caller construct, the others wait */
#include <cassert>
#include <thread>

static int constructed;

struct service {
    int value;
    service() : value(5) { constructed++; }
};

static service &instance()
{
    static service the_one;
    return the_one;
}

static void use()
{
    assert(instance().value == 5);
}

int main()
{
    std::thread a(use), b(use);
    a.join();
    b.join();
    assert(constructed == 1);
}
