/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* races: inconclusive */
/* std: c++20 */
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

static std::stop_source source;

int main()
{
    std::atomic<int> calls{0};
    std::thread listener([&calls] { std::stop_callback on_stop(source.get_token(), [&] { calls++; }); });
    std::thread stopper([] { source.request_stop(); });
    listener.join();
    stopper.join();
    assert(calls <= 1);
    assert(source.stop_requested() && !source.request_stop());
}
