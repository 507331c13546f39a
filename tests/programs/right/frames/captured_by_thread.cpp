/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: the thread has its own copy */
#include <thread>

static std::thread start()
{
    int x = 1;
    return std::thread([x]() mutable { x = 2; });
}

int main()
{
    start().join();
}
