/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* std: c++17 */
/* A program with a delete of its own, which gets no size: the one with a size calls it. */
#include <cassert>
#include <cstdlib>
#include <memory>

static int deleted;

void *operator new(std::size_t size)
{
    return std::malloc(size);
}
void operator delete(void *p) noexcept
{
    deleted++;
    std::free(p);
}

int main()
{
    delete new long(1);
    std::make_unique<int>(2);
    assert(deleted == 2);
    return 0;
}
