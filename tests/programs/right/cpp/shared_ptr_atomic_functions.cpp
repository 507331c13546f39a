/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* std: c++17 */
/* note: the old free functions lock a mutex inside the library */
#include <cassert>
#include <memory>
#include <thread>

static std::shared_ptr<int> shared = std::make_shared<int>(1);

int main()
{
    std::thread writer([] { std::atomic_store(&shared, std::make_shared<int>(2)); });
    std::shared_ptr<int> seen = std::atomic_load(&shared);
    assert(*seen == 1 || *seen == 2);
    writer.join();
    assert(*std::atomic_load(&shared) == 2);
}
