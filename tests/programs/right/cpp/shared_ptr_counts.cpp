/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the last owner destroys, whichever thread that is */
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<int> destroyed{0};

struct payload {
    int value = 3;
    ~payload() { destroyed++; }
};

int main()
{
    auto mine = std::make_shared<payload>();
    std::weak_ptr<payload> watcher = mine;
    std::thread a([copy = mine] { assert(copy->value == 3); });
    std::thread b([watcher] {
        if (auto strong = watcher.lock())
            assert(strong->value == 3);
    });
    mine.reset();
    a.join();
    b.join();
    assert(destroyed == 1 && watcher.expired());
}
