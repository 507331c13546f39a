/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated invalid-free */
#include <new>

int main()
{
    void *block = ::operator new(64, std::align_val_t(64));
    ::operator delete(block);
}
