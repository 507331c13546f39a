/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free */
#include <memory>
#include <thread>

struct object {
    int value = 1;
    int get() const { return value; }
};

static volatile int sink;

int main()
{
    auto owner = std::make_unique<object>();
    object *raw = owner.get();
    std::thread t([taken = std::move(owner)]() mutable { taken.reset(); });
    t.join();
    sink = raw->get();
}
