/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* Who drops the last reference destroys the exception, after all that the others read. */
#include <exception>
#include <string>
#include <thread>

static void handle(std::exception_ptr pointer)
{
    try {
        std::rethrow_exception(pointer);
    } catch (std::string &text) {
        if (text.size() != 30)
            throw 1;
    }
}

int main()
{
    std::exception_ptr pointer = std::make_exception_ptr(std::string(30, 'x'));
    std::thread other(handle, pointer);
    handle(std::move(pointer));
    other.join();
}
