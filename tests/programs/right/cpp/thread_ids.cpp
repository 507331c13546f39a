/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <cassert>
#include <thread>
#include <utility>

int main()
{
    std::thread::id inner;
    std::thread t([&inner] { inner = std::this_thread::get_id(); });
    std::thread::id outer = t.get_id();
    std::thread moved = std::move(t);
    assert(!t.joinable() && moved.joinable());
    moved.join();
    assert(inner == outer && inner != std::this_thread::get_id());
    assert(moved.get_id() == std::thread::id());
    assert(std::thread::hardware_concurrency() < 100000);
}
