/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags: -w */
/* note: pointers that step through arrays in structures, unions, raw memory and containers, and stay inside */
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>
#include <algorithm>
#include <numeric>
template <class T, int N> struct inplace {
    alignas(T) unsigned char room[N * sizeof(T)];
    int n = 0;
    T *at(int k)
    {
        return std::launder(reinterpret_cast<T *>(room) + k);
    }
    void push(T v)
    {
        new (room + n++ * sizeof(T)) T(std::move(v));
    }
    ~inplace()
    {
        while (n)
            at(--n)->~T();
    }
};
struct base {
    int tag[2] = {1, 2};
    char c = 'c';
};
struct derived : base {
    char tail[3] = "ab";
    int more[4] = {1, 2, 3, 4};
    int last = 9;
};
struct vec3 {
    float v[3];
    float w;
    float &operator[](int k)
    {
        return v[k];
    }
    const float *begin() const
    {
        return v;
    }
    const float *end() const
    {
        return v + 3;
    }
};
struct soa {
    std::array<int, 4> a{1, 2, 3, 4};
    int b[4] = {5, 6, 7, 8};
    std::string s = "short";
    int c[2]{};
};
struct big {
    long v[40];
};
static big make(int k)
{
    big b;
    long *p = b.v;
    for (int j = 0; j < 40; j++)
        p[j] = k;
    return b;
}
static long take(big b, const big &c)
{
    long *p = b.v;
    p[39]++;
    return p[39] + c.v[0];
}
static inline thread_local int counts[4];
template <class T> constexpr T table[4] = {1, 2, 3, 4};
struct st {
    static inline const int sizes[3] = {1, 2, 3};
};
struct cow {
    struct rep {
        int refs;
        char data[1];
    } * r;
    cow(const char *s) : r((rep *)::operator new(sizeof(rep) + strlen(s)))
    {
        r->refs = 1;
        strcpy(r->data, s);
    }
    ~cow()
    {
        ::operator delete(r);
    }
    char at(int k)
    {
        char *p = r->data;
        return p[k];
    }
};
int main()
{
    inplace<std::string, 3> ip;
    ip.push("one");
    ip.push(std::string(50, 'x'));
    ip.push("three");
    if (*ip.at(1) != std::string(50, 'x'))
        return 1;
    derived d;
    base *b = &d;
    if (static_cast<derived *>(b)->more[3] != 4)
        return 2;
    derived e = d;
    static_cast<base &>(e) = base();
    if (e.tail[0] != 'a')
        return 3;
    int *pm = e.more;
    std::reverse(pm, pm + 4);
    if (std::accumulate(std::begin(e.more), std::end(e.more), 0) != 10)
        return 4;
    vec3 v{{1, 2, 3}, 4};
    float s = 0;
    for (float f : v)
        s += f;
    for (int k = 0; k < 3; k++)
        s += v[k];
    std::sort(v.v, v.v + 3, std::greater<>());
    auto [x, y] = std::minmax_element(v.v, v.v + 3);
    if (*y - *x != 2)
        return 5;
    soa o;
    auto o2 = o;
    std::swap(o, o2);
    std::span<int> sp(o.b);
    int acc = 0;
    for (int q : sp.subspan(1, 2))
        acc += q;
    acc += *std::prev(std::end(o.b)) + *std::rbegin(o.b);
    std::copy_backward(o.b, o.b + 3, o.b + 4);
    if (o.b[3] != 7)
        return 6;
    std::fill_n(o.c, 2, 3);
    int *rp = &o.a[0];
    acc += rp[3];
    auto up = std::make_unique<big>(make(3));
    if (take(*up, make(4)) != 8)
        return 7;
    std::vector<big> vb;
    vb.push_back(make(1));
    vb.insert(vb.begin(), make(2));
    if (take(vb[0], vb[1]) != 4)
        return 8;
    counts[3]++;
    const int *tp = table<int>;
    acc += tp[3] + st::sizes[2] + *std::max_element(st::sizes, st::sizes + 3);
    const auto &ref = st::sizes;
    for (int q : ref)
        acc += q;
    cow c("hello world");
    if (c.at(10) != 'd')
        return 9;
    std::string t = "0123456789abcde";
    t.push_back('f');
    t.insert(3, "zz");
    t.resize(5);
    t.reserve(100);
    t.shrink_to_fit();
    std::vector<int> w;
    w.reserve(10);
    auto *base_ = w.data();
    for (int k = 0; k < 10; k++)
        w.push_back(k);
    if (base_ != w.data())
        return 10;
    w.erase(std::remove_if(w.begin(), w.end(), [](int k) { return k % 2; }), w.end());
    w.insert(w.begin() + 1, 3, 7);
    w.resize(4);
    w.emplace(w.begin(), 1);
    std::vector<int> moved(std::move(w));
    w = {1, 2};
    w.push_back(3);
    moved.swap(w);
    w.assign(20, 1);
    w.pop_back();
    w.clear();
    w.shrink_to_fit();
    w.push_back(1);
    try {
        std::vector<std::string> q(3);
        q.reserve(4);
        q.at(7);
    } catch (const std::out_of_range &) {
        acc++;
    }
    struct thrower {
        int k;
        thrower(int k) : k(k)
        {
            if (k == 3)
                throw 1;
        }
        thrower(const thrower &o) : k(o.k)
        {
            if (k == 2)
                throw 2;
        }
    };
    std::vector<thrower> th;
    try {
        for (int k = 0; k < 5; k++)
            th.emplace_back(k);
    } catch (int) {
    }
    if (th.size() > 5)
        return 11;
    for (auto &q : th)
        acc += q.k;
    return acc > 0 ? 0 : 12;
}
