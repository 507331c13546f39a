/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* The count is atomic, the pointer is not. */
#include <memory>
#include <thread>

static std::shared_ptr<int> p = std::make_shared<int>(1);

int main()
{
    std::thread other([] { p = std::make_shared<int>(2); });
    std::shared_ptr<int> mine = p;
    other.join();
    return *mine == 0;
}
