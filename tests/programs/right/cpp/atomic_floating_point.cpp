/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* std: c++20 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<double> sum{0.5};
static std::atomic<float> smallest{10.0f};

static void lower(float value)
{
    sum.fetch_add(value);
    float seen = smallest.load();
    while (value < seen && !smallest.compare_exchange_weak(seen, value))
        ;
}

int main()
{
    std::thread a(lower, 2.0f), b(lower, 1.0f);
    a.join();
    b.join();
    assert(sum == 3.5 && smallest == 1.0f);
}
