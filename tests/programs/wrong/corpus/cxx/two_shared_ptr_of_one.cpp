/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated double-free|invalid-free|use-after-free */
/* mode: all */
/* note: two shared_ptr are made from one raw pointer: two owners, two deletes */
#include <memory>
#include <thread>

int main()
{
    std::shared_ptr<int> first(new int(1));
    std::shared_ptr<int> second(first.get());
    std::thread t([p = std::move(second)]() mutable { p.reset(); });
    t.join();
}
