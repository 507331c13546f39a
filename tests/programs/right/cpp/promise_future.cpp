/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <cassert>
#include <future>
#include <string>
#include <thread>
#include <utility>

int main()
{
    std::promise<std::string> promise;
    std::future<std::string> future = promise.get_future();
    std::thread t([p = std::move(promise)]() mutable {
        p.set_value("a text too long for the small buffer");
    });
    std::string text = future.get();
    assert(text.size() == 36);
    t.join();
}
