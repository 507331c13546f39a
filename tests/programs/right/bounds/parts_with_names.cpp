/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags: -w */
/* note: variables that are parts of others: structured bindings, anonymous unions, what functions return in place */
#include <cstring>
#include <cstdio>
#include <array>
#include <string>
#include <functional>
#include <tuple>
struct S {
    char name[200];
    int n;
    char more[100];
};
struct Big {
    char c[300];
};
struct Two {
    Big a, b;
};
S shared = {"abc", 1, "x"};
__attribute__((noinline)) int use(const Two &t)
{
    Two copy = t;
    Two again;
    memcpy(&again, &copy, sizeof again);
    return again.a.c[3] + again.b.c[2];
}
static inline Big make(int v)
{
    Big b;
    memset(&b, v, sizeof b);
    return b;
}
static inline S make_s()
{
    S r = {};
    strcpy(r.name, "hello");
    r.n = 3;
    strcpy(r.more, "y");
    return r;
}
int two()
{
    auto [name, n, more] = shared;
    auto [name2, n2, more2] = make_s();
    return strlen(name) + n + strlen(name2) + more2[0] + more[0] + n2;
}
int three()
{
    return use(Two{make(1), make(2)});
}
int four()
{
    union {
        int a;
        char b[16];
    };
    strcpy(b, "hello hello");
    return a != 0;
}
int five()
{
    std::array<S, 2> a = {make_s(), make_s()};
    auto b = a;
    return memcmp(&a, &b, sizeof a);
}
int six()
{
    std::tuple<Big, Big> t{make(1), make(2)};
    auto [x, y] = t;
    return x.c[0] + y.c[0];
}
int seven()
{
    char local[64];
    strcpy(local, "abc");
    auto f = [=](int k) { return local[k] + (int)strlen(local); };
    std::function<int(int)> g = f;
    return g(1);
}
int main()
{
    int r = two() + three() + four() + five() + six() + seven();
    printf("%d\n", r);
    return 0;
}
