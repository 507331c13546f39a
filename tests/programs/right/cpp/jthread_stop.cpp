/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* std: c++20 */
/* note: the destructor asks the thread to stop and joins it */
#include <cassert>
#include <stop_token>
#include <thread>

int main()
{
    int last = 0;
    {
        std::jthread worker([&last](std::stop_token stop) {
            while (!stop.stop_requested())
                std::this_thread::yield();
            last = 1;
        });
    }
    assert(last == 1);
}
