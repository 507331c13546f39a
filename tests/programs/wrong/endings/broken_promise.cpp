/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated exception */
#include <future>
#include <thread>

int main()
{
    std::future<int> future;
    {
        std::promise<int> promise;
        future = promise.get_future();
        std::thread t([p = std::move(promise)] {});
        t.join();
    }
    return future.get();
}
