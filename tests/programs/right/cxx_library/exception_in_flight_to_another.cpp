/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* The handler of the thread that threw may end last. */
#include <future>
#include <string>
#include <thread>

int main()
{
    std::promise<int> promise;
    std::thread other([&] {
        try {
            throw std::string(30, 'x');
        } catch (...) {
            promise.set_exception(std::current_exception());
        }
    });
    try {
        promise.get_future().get();
    } catch (std::string &text) {
        if (text.size() != 30)
            return 1;
    }
    other.join();
}
