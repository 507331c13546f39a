/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <cassert>
#include <future>
#include <stdexcept>
#include <string>

static int fail()
{
    throw std::out_of_range("beyond");
}

int main()
{
    auto future = std::async(std::launch::async, fail);
    bool caught = false;
    try {
        future.get();
    } catch (const std::out_of_range &e) {
        caught = std::string(e.what()) == "beyond";
    }
    assert(caught);
}
