/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* races: inconclusive */
/* mode: all */
/* note: an object that keeps what it has read in a member */
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

class Mailbox {
public:
    void put(int value)
    {
        letter = value;
        full.store(true, std::memory_order_release);
    }

    int take()
    {
        while (!is_full)
            is_full = full.load(std::memory_order_acquire);
        return letter;
    }

private:
    std::atomic<bool> full{false};
    bool is_full = false;
    int letter = 0;
};

int main()
{
    auto box = std::make_unique<Mailbox>();
    std::thread writer([&] { box->put(42); });
    std::thread reader([&] { assert(box->take() == 42); });
    writer.join();
    reader.join();
}
