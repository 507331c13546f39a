/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free|race|assert */
/* mode: all */
/* note: the raw pointer of a shared object is kept instead of a weak one */
#include <memory>
#include <thread>

int seen;

int main()
{
    auto owner = std::make_shared<int>(3);
    int *observer = owner.get();
    std::thread t([observer] {
        if (observer)
            seen = *observer;
    });
    owner.reset();
    t.join();
}
