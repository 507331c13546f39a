/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* known-gcc: holds */
/* named-gcc: structures by value */
/* note: the call takes two structures by value, and may throw */
#include <exception>
#include <thread>

template <class A, class B> struct record {
    A fields[4];
    B last;
};
static record<long, int (*)(int)> shared, other;

struct user {
    long seen = 0;
    __attribute__((noinline)) void take(record<long, int (*)(int)> a, record<long, int (*)(int)> b)
    {
        seen += a.fields[0] + b.fields[0];
    }
};

int main()
{
    std::thread t([] {
        user u;
        try {
            u.take(other, shared);
        } catch (std::exception &) {
            u.seen = 0;
        }
    });
    shared.last = nullptr;
    t.join();
}
