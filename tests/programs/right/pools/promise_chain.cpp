/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a promise from thread to thread, and one that two wait for */
#include <cassert>
#include <future>
#include <thread>

int main()
{
    std::promise<int> first;
    std::promise<void> go;
    std::shared_future<void> gone = go.get_future().share();
    std::future<int> value = first.get_future();
    int a = 0, b = 0;
    std::thread one([&, gone] {
        gone.wait();
        a = 1;
        first.set_value(5);
    });
    std::thread two([&, gone] {
        gone.wait();
        b = value.get();
    });
    go.set_value();
    one.join();
    two.join();
    assert(a == 1 && b == 5);
}
