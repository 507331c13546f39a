/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: objects with virtual functions are built, published, used and destroyed in different threads */
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct shape {
    virtual ~shape() = default;
    virtual int area() const = 0;
};

struct square : shape {
    int side;
    explicit square(int s) : side(s) {}
    int area() const override { return side * side; }
};

static std::atomic<shape *> published{nullptr};

int main()
{
    std::thread builder([] { published.store(new square(4), std::memory_order_release); });
    shape *seen;
    while (!(seen = published.load(std::memory_order_acquire)))
        std::this_thread::yield();
    assert(seen->area() == 16);
    std::unique_ptr<shape> owner(seen);
    builder.join();
}
