/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* note: not supported: the order is made by an atomic inside the C++ library */
#include <cassert>
#include <future>
#include <thread>

int main()
{
    int data = 0;
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread other([&] {
        data = 4;
        promise.set_value_at_thread_exit(3);
    });
    assert(future.get() == 3);
    assert(data == 4);
    other.join();
    return 0;
}
