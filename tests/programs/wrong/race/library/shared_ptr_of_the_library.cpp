/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* sc: holds */
/* tso: holds */
/* note: libstdc++ 12 unlocks in load() with a relaxed update: a later store is not ordered behind its read */
/* std: c++20 */
/* not: gcc-11 */
#include <atomic>
#include <memory>
#include <thread>

static std::atomic<std::shared_ptr<int>> shared{std::make_shared<int>(1)};

int main()
{
    std::thread t([] { shared.store(std::make_shared<int>(2)); });
    auto p = shared.load();
    t.join();
    return *p == 0;
}
