/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: what is written after set_value() is not ordered before get() */
#include <future>
#include <thread>

int main()
{
    std::promise<void> done;
    std::future<void> finished = done.get_future();
    int result = 0;
    std::thread worker([&] {
        done.set_value();
        result = 1;
    });
    finished.get();
    result++;
    worker.join();
}
