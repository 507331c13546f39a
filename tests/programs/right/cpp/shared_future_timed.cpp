/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

int main()
{
    std::promise<int> promise;
    std::shared_future<int> future = promise.get_future().share();
    std::thread reader([future] { assert(future.get() == 4); });
    std::thread setter([&promise] { promise.set_value(4); });
    if (future.wait_for(std::chrono::milliseconds(5)) == std::future_status::ready)
        assert(future.get() == 4);
    reader.join();
    setter.join();
}
