/* SPDX-License-Identifier: Apache-2.0 */
/* Found before libstdc++'s own header of this name, in which futures wait for their result by announcing a sleeper and sleeping
 * at a futex. Here a wait without a time limit is a loop that only waits: one execution instead of five
 * (docs/internals/engine/runtime.md). The object stays as it is, since code of the library knows it. */
#pragma GCC system_header
#ifdef PLUMB_LIBRARY_WAITS
#include_next <bits/atomic_futex.h>
#elif !defined PLUMB_LIBSTDCXX_ATOMIC_FUTEX
#define PLUMB_LIBSTDCXX_ATOMIC_FUTEX
#include <bits/c++config.h>
#define __atomic_futex_unsigned __plumb_futex_unsigned
#include_next <bits/atomic_futex.h>
#undef __atomic_futex_unsigned
#ifdef _GLIBCXX_HAS_GTHREADS
#include <bits/gthr.h>

namespace std
{
template <unsigned WaiterBit = 0x80000000>
class __atomic_futex_unsigned : public __plumb_futex_unsigned<WaiterBit>
{
  public:
    explicit __atomic_futex_unsigned(unsigned __data) : __plumb_futex_unsigned<WaiterBit>(__data)
    {
    }

    unsigned _M_load_when_not_equal(unsigned __value, memory_order __order)
    {
        for (;;) {
            unsigned __found = this->_M_load(__order);
            if (__found != __value)
                return __found;
            __gthread_yield();
        }
    }
    void _M_load_when_equal(unsigned __value, memory_order __order)
    {
        while (this->_M_load(__order) != __value)
            __gthread_yield();
    }
};
} // namespace std
#endif
#endif
