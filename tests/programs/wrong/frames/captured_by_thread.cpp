/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return|race */
/* mode: all */
/* note: the thread writes a variable of the function that started it, which has returned; that thread has entered another function in its place */
#include <thread>

static std::thread start()
{
    int x = 1;
    return std::thread([&] { x = 2; });
}

int main()
{
    start().join();
}
