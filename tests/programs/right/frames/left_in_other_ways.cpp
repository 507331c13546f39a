/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: functions are left by exceptions and longjmp, or grow by alloca; what others access lies where they were */
#include <alloca.h>
#include <atomic>
#include <csetjmp>
#include <thread>

static std::jmp_buf back;

[[gnu::noinline]] static void leave(int how)
{
    volatile int room[8] = {how};
    if (how == 1)
        throw 1;
    if (how == 2)
        std::longjmp(back, 1);
    room[1] = room[0];
}

[[gnu::noinline]] static int ask(int how)
{
    int x = how;
    std::thread([&] { x++; }).join();
    leave(how);
    return x;
}

[[gnu::noinline]] static int grow(int n)
{
    leave(0);
    int *room = static_cast<int *>(alloca(sizeof(int) * n));
    room[0] = ask(0);
    std::thread([=] { room[0]++; }).join();
    leave(0);
    return room[0];
}

int main()
{
    try {
        ask(1);
    } catch (int) {
    }
    if (!setjmp(back))
        ask(2);
    return ask(0) + grow(4) != 3;
}
