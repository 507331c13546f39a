/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <memory>
#include <thread>

int seen;

int main()
{
    auto owner = std::make_shared<int>(3);
    std::weak_ptr<int> observer = owner;
    std::thread t([observer] {
        if (auto p = observer.lock())
            seen = *p;
    });
    owner.reset();
    t.join();
}
