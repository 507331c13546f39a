/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: temporary objects live as long as the references bound to them, or as their line; blocks are left by exceptions */
#include <cassert>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

struct number {
    int value;
    const int &get() const
    {
        return value;
    }
    ~number()
    {
        value = 0;
    }
};

static number make(int value)
{
    return number{value};
}
static const int &larger(const int &a, const int &b)
{
    return a < b ? b : a;
}

static int sum(std::initializer_list<int> numbers)
{
    int result = 0;
    for (const int &one : numbers)
        result += one;
    return result;
}

static int thrown(int depth)
{
    try {
        number own{depth};
        if (own.get() > 2)
            throw own.get();
        number other{depth + 1};
        return thrown(other.get()) + own.get();
    } catch (const int &value) {
        number again{value};
        return again.get();
    }
}

int main()
{
    const number &bound = make(3);
    const number &chosen = bound.get() > 2 ? make(4) : make(5);
    for (int round = 0; round < 3; round++) {
        int largest = larger(make(round).get(), larger(round + 1, 2));
        assert(largest == (round < 2 ? 2 : 3));
        const auto &[value] = make(round);
        assert(value == round);
        assert(round == 0 ? make(1).get() == 1 : make(2).get() == 2 && make(3).get() == 3);
    }
    for (char c : std::string("xyz"))
        assert(c >= 'x');
    for (int one : std::vector<int>{1, 2, 3})
        assert(one < 4);
    auto closure = [kept = make(6)]() -> const int & { return kept.get(); };
    assert(sum({1, 2, 3}) == 6 && closure() == 6);
    assert(thrown(0) == 6);
    assert(bound.get() == 3 && chosen.get() == 4);
    std::pair<number, int> pair{make(7), 8};
    auto [first, second] = std::move(pair);
    assert(first.get() + second == 15);
}
