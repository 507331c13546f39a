/* SPDX-License-Identifier: Apache-2.0 */
/* Found before libstdc++'s own header of this name, in which std::atomic::wait looks sixteen times before it sleeps. Here it looks
 * once; all else is the library's own code (docs/internals/engine/runtime.md). */
#pragma GCC system_header
#if !defined PLUMB_LIBRARY_WAITS && !defined PLUMB_LIBSTDCXX_ATOMIC_WAIT && __cplusplus > 201703L
#define PLUMB_LIBSTDCXX_ATOMIC_WAIT
#include <bits/c++config.h>

namespace std
{
_GLIBCXX_BEGIN_NAMESPACE_VERSION
namespace __detail
{
struct __default_spin_policy;

/* Declared before the library's own, which is for all policies: calls with this policy take this one. */
template <typename _Pred> bool __atomic_spin(_Pred &__pred, const __default_spin_policy &) noexcept
{
    return __pred();
}
} // namespace __detail
_GLIBCXX_END_NAMESPACE_VERSION
} // namespace std
#endif
#include_next <bits/atomic_wait.h>
