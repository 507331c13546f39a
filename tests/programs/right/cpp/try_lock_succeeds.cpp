/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* std: c++20 */
/* flags: -O1 */
/* named: other answers of semaphore::try_acquire, shared_mutex::try_lock_shared, std::mutex::try_lock, std::recursive_mutex::try_lock not tried */
/* note: they may fail although no thread holds the object */
#include <cassert>
#include <mutex>
#include <semaphore>
#include <shared_mutex>

int main()
{
    std::mutex m;
    std::recursive_mutex r;
    std::shared_mutex s;
    std::counting_semaphore<3> c(1);
    assert(m.try_lock());
    assert(r.try_lock());
    assert(s.try_lock_shared());
    assert(c.try_acquire());
    m.unlock();
    r.unlock();
    s.unlock_shared();
}
