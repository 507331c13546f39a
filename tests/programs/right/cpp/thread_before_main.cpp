/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* mode: all */
/* note: a thread that a global object starts is not supported: no error of the program */
#include <thread>

static std::thread worker([] {});

int main()
{
    worker.join();
}
