/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: the counts are atomic, the pointer object itself is not */
#include <memory>
#include <thread>

static std::shared_ptr<int> shared = std::make_shared<int>(1);

int main()
{
    std::thread t([] { shared = nullptr; });
    bool there = static_cast<bool>(shared);
    t.join();
    return there && shared;
}
