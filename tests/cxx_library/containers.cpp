/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

#include <array>
#include <bitset>
#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <queue>
#include <set>
#include <span>
#include <stack>
#include <unordered_map>
#include <unordered_set>
#include <valarray>
#include <vector>

using map = std::map<int, int>;
using umap = std::unordered_map<int, int>;
using list = std::list<int>;

template <typename C> long sum(const C &c)
{
    long total = 0;
    for (const auto &one : c)
        total += one;
    return total;
}

CASE(vector_push_back, std::vector<int> v, v.push_back(1), v.push_back(2))
CASE(vector_push_against_size, std::vector<int> v, v.push_back(1), use(v.size()))
CASE(vector_clear_against_loop, std::vector<int> v{1 COMMA 2}, v.clear(), use(sum(v)))
CASE(vector_element, std::vector<int> v{1 COMMA 2}, v[0] = 3, use(v.at(0)))
CASE(vector_of_bool, std::vector<bool> v{true COMMA false}, v[0] = false, v[1] = true)
CASE(vector_swap, std::vector<int> v{1}; std::vector<int> w, v.swap(w), use(v.empty()))
CASE(deque_both_ends, std::deque<int> d, d.push_front(1), d.push_back(2))
CASE(deque_pop_against_size, std::deque<int> d{1 COMMA 2}, d.pop_front(), use(d.size()))
CASE(list_push_back, list l, l.push_back(1), l.push_back(2))
CASE(list_splice_against_loop, list l{1 COMMA 2}; list m{3}, l.splice(l.begin(), m), use(sum(l)))
CASE(list_reverse_against_front, list l{1 COMMA 2}, l.reverse(), use(l.front()))
CASE(list_swap_against_back, list l{1 COMMA 2}; list m{3}, l.swap(m), use(l.back()))
CASE(list_erase_of_neighbours, list l{1 COMMA 2 COMMA 3}, l.pop_front(), l.erase(std::next(l.begin())))
CASE(forward_list_push, std::forward_list<int> f, f.push_front(1), f.push_front(2))
CASE(map_insert_against_find, map m{{1 COMMA 1}}, m[2] = 2, use(m.count(3)))
CASE(map_insert_against_loop, map m{{1 COMMA 1} COMMA{3 COMMA 3}}, m[2] = 2, for (auto &p : m) use(p.second))
CASE(map_erase_against_find, map m{{1 COMMA 1} COMMA{2 COMMA 2}}, m.erase(1), use(m.find(2) != m.end()))
CASE(map_erase_against_decrement, map m{{1 COMMA 1} COMMA{2 COMMA 2}}, m.erase(1), use((--m.end())->first))
CASE(map_value, map m{{1 COMMA 1}}, m.at(1)++, use(m.at(1)))
CASE(map_two_erases, map m{{1 COMMA 1} COMMA{2 COMMA 2} COMMA{3 COMMA 3}}, m.erase(1), m.erase(3))
CASE(map_extract, map m{{1 COMMA 1} COMMA{2 COMMA 2}}, m.extract(1), use(m.begin()->first))
CASE(multimap_insert, std::multimap<int COMMA int> m, m.emplace(1, 1), m.emplace(1, 2))
CASE(set_insert, std::set<int> s, s.insert(1), s.insert(2))
CASE(set_insert_against_last, std::set<int> s{1}, s.insert(2), use(*s.rbegin()))
CASE(multiset_erase, std::multiset<int> s{1 COMMA 1}, s.erase(1), use(s.count(1)))
CASE(unordered_map_insert, umap m, m[1] = 1, m[2] = 2)
CASE(unordered_map_rehash, umap m{{1 COMMA 1}}, m.rehash(100), use(m.count(1)))
CASE(unordered_map_load_factor, umap m{{1 COMMA 1}}, m.max_load_factor(2), m.reserve(100))
CASE(unordered_map_erase_against_loop, umap m{{1 COMMA 1} COMMA{2 COMMA 2}}, m.erase(1),
     for (auto &p : m) use(p.second))
CASE(unordered_set_insert, std::unordered_set<int> s, s.insert(1), use(s.size()))
CASE(unordered_multimap_insert, std::unordered_multimap<int COMMA int> m, m.emplace(1, 1), use(m.count(1)))
CASE(priority_queue, std::priority_queue<int> q, q.push(1), q.push(2))
CASE(queue_push_against_empty, std::queue<int> q, q.push(1), use(q.empty()))
CASE(stack_push_against_size, std::stack<int> s, s.push(1), use(s.size()))
CASE(array_element, std::array<int COMMA 2> a{}, a[1] = 1, use(a[1]))
CASE(span_of_vector, std::vector<int> v{1 COMMA 2}; std::span<int> s{v}, s[1] = 3, use(v[1]))
CASE(bitset_two_bits, std::bitset<8> b, b.set(1), b.set(2))
CASE(valarray_scaled, std::valarray<int> v{1 COMMA 2}, v *= 2, use(v.sum()))

CASES(ENTRY(vector_push_back), ENTRY(vector_push_against_size), ENTRY(vector_clear_against_loop),
      ENTRY(vector_element), ENTRY(vector_of_bool), ENTRY(vector_swap), ENTRY(deque_both_ends),
      ENTRY(deque_pop_against_size), ENTRY(list_push_back), ENTRY(list_splice_against_loop),
      ENTRY(list_reverse_against_front), ENTRY(list_swap_against_back), ENTRY(list_erase_of_neighbours),
      ENTRY(forward_list_push), ENTRY(map_insert_against_find), ENTRY(map_insert_against_loop),
      ENTRY(map_erase_against_find), ENTRY(map_erase_against_decrement), ENTRY(map_value),
      ENTRY(map_two_erases), ENTRY(map_extract), ENTRY(multimap_insert), ENTRY(set_insert),
      ENTRY(set_insert_against_last), ENTRY(multiset_erase), ENTRY(unordered_map_insert),
      ENTRY(unordered_map_rehash), ENTRY(unordered_map_load_factor), ENTRY(unordered_map_erase_against_loop),
      ENTRY(unordered_set_insert), ENTRY(unordered_multimap_insert), ENTRY(priority_queue),
      ENTRY(queue_push_against_empty), ENTRY(stack_push_against_size), ENTRY(array_element),
      ENTRY(span_of_vector), ENTRY(bitset_two_bits), ENTRY(valarray_scaled))
