/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: std::atomic_init of objects of many types, before there is another thread */
#include <atomic>
#include <cassert>
#include <thread>

struct pair {
    int first, second;
};
static std::atomic<int> number;
static std::atomic<pair> both;
static std::atomic<int *> address;
static std::atomic<double> ratio;
static volatile std::atomic<bool> known;

int main()
{
    std::atomic_init(&number, 'c');
    std::atomic_init(&both, pair{1, 2});
    std::atomic_init(&address, nullptr);
    std::atomic_init(&ratio, 1.5);
    std::atomic_init(&known, true);
    std::thread t([] {
        assert(number.load() == 'c' && both.load().second == 2 && !address.load());
        assert(ratio.load() == 1.5 && known.load());
        number.store(1);
    });
    t.join();
    assert(number.load() == 1);
}
