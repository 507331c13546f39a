/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* std: c++17 */
/* The size that delete gets is the block's: of objects, arrays with and without a count in front, nothing, and allocators. */
#include <cassert>
#include <deque>
#include <functional>
#include <memory>
#include <new>
#include <string>

struct counted {
    int a = 1;
    ~counted() { a = 0; }
};
struct base {
    virtual ~base() {}
};
struct derived : base {
    int b[8] = {};
};
struct alignas(64) wide {
    char c[100];
};
struct own {
    int a[4];
    static void operator delete(void *p, std::size_t size)
    {
        assert(size == sizeof(own));
        ::operator delete(p);
    }
};

int main()
{
    delete new int(1);
    delete[] new int[3];
    delete[] new counted[3];
    delete[] new int[0];
    delete[] new counted[0];
    delete static_cast<base *>(new derived);
    delete new wide;
    delete[] new wide[2];
    delete new own;
    ::operator delete(::operator new(0), std::size_t(0));
    std::allocator<long> a;
    a.deallocate(a.allocate(0), 0);
    a.deallocate(a.allocate(3), 3);
    std::string s(100, 'a');
    s.shrink_to_fit();
    std::deque<int> d(200, 1);
    std::function<int()> f = [s] { return (int)s.size(); };
    auto p = std::make_shared<wide>();
    assert(f() == 100 && d.back() == 1 && p);
    return 0;
}
