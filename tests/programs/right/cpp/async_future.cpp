/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <cassert>
#include <future>

static int square(int x)
{
    return x * x;
}

int main()
{
    std::future<int> eager = std::async(std::launch::async, square, 6);
    std::future<int> lazy = std::async(std::launch::deferred, square, 3);
    assert(eager.get() + lazy.get() == 45);
    assert(!eager.valid());
}
