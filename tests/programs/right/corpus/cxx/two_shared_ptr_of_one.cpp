/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <memory>
#include <thread>

int main()
{
    std::shared_ptr<int> first(new int(1));
    std::shared_ptr<int> second(first);
    std::thread t([p = std::move(second)]() mutable { p.reset(); });
    t.join();
}
