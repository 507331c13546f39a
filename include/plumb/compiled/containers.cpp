// SPDX-License-Identifier: Apache-2.0
// What the headers of libstdc++ leave to its compiled part, of lists, trees and hash tables: here as code with hooks, for harnesses that `plumb prove` builds. The structures
// are those of the headers, and so is what each function does to them; the order of accesses inside is its own.
#include <list>
#include <map>
#include <unordered_map>

namespace std
{

// --- lists ---------------------------------------------------------------------------------------------------------------

namespace __detail
{

void _List_node_base::_M_hook(_List_node_base *const position) noexcept
{
    _M_next = position;
    _M_prev = position->_M_prev;
    position->_M_prev->_M_next = this;
    position->_M_prev = this;
}

void _List_node_base::_M_unhook() noexcept
{
    _M_prev->_M_next = _M_next;
    _M_next->_M_prev = _M_prev;
}

void _List_node_base::_M_transfer(_List_node_base *const first, _List_node_base *const last) noexcept
{
    if (this == last)
        return;
    _List_node_base *const end = last->_M_prev, *const before = _M_prev;
    first->_M_prev->_M_next = last;
    last->_M_prev = first->_M_prev;
    before->_M_next = first;
    first->_M_prev = before;
    end->_M_next = this;
    _M_prev = end;
}

void _List_node_base::_M_reverse() noexcept
{
    _List_node_base *at = this;
    do {
        _List_node_base *const next = at->_M_next;
        at->_M_next = at->_M_prev;
        at->_M_prev = next;
        at = next;
    } while (at != this);
}

} // namespace __detail

// --- trees: the parent of the root is the header, which has the root as its parent and the ends left and right -----------

typedef _Rb_tree_node_base node;

static node *least(node *n)
{
    while (n->_M_left)
        n = n->_M_left;
    return n;
}

static node *greatest(node *n)
{
    while (n->_M_right)
        n = n->_M_right;
    return n;
}

static node *next_of(node *n)
{
    if (n->_M_right)
        return least(n->_M_right);
    node *above = n->_M_parent;
    while (n == above->_M_right) {
        n = above;
        above = above->_M_parent;
    }
    return n->_M_right == above ? n : above; // from the header of a tree with one node
}

static node *previous_of(node *n)
{
    if (n->_M_color == _S_red && n->_M_parent->_M_parent == n) // the header
        return n->_M_right;
    if (n->_M_left)
        return greatest(n->_M_left);
    node *above = n->_M_parent;
    while (n == above->_M_left) {
        n = above;
        above = above->_M_parent;
    }
    return above;
}

node *_Rb_tree_increment(node *n) noexcept
{
    return next_of(n);
}

const node *_Rb_tree_increment(const node *n) noexcept
{
    return next_of(const_cast<node *>(n));
}

node *_Rb_tree_decrement(node *n) noexcept
{
    return previous_of(n);
}

const node *_Rb_tree_decrement(const node *n) noexcept
{
    return previous_of(const_cast<node *>(n));
}

// `to` takes the place of `from` below its parent.
static void replace(node *from, node *to, node &header)
{
    if (header._M_parent == from)
        header._M_parent = to;
    else if (from->_M_parent->_M_left == from)
        from->_M_parent->_M_left = to;
    else
        from->_M_parent->_M_right = to;
}

static node *&child(node *n, bool left)
{
    return left ? n->_M_left : n->_M_right;
}

// The child on the other side comes up; the node goes down to the side `left`.
static void rotate(node *n, bool left, node &header)
{
    node *const up = child(n, !left), *const inner = child(up, left);
    child(n, !left) = inner;
    if (inner)
        inner->_M_parent = n;
    up->_M_parent = n->_M_parent;
    replace(n, up, header);
    child(up, left) = n;
    n->_M_parent = up;
}

static bool is_red(const node *n)
{
    return n && n->_M_color == _S_red;
}

static void link(bool left, node *n, node *above, node &header)
{
    n->_M_parent = above;
    n->_M_left = n->_M_right = nullptr;
    n->_M_color = _S_red;
    child(above, left) = n;
    if (above == &header)
        header._M_parent = header._M_left = header._M_right = n;
    else if (left && above == header._M_left)
        header._M_left = n;
    else if (!left && above == header._M_right)
        header._M_right = n;
}

void _Rb_tree_insert_and_rebalance(const bool left, node *n, node *above, node &header) noexcept
{
    link(left, n, above, header);
    while (n != header._M_parent && is_red(n->_M_parent)) {
        node *parent = n->_M_parent, *const grand = parent->_M_parent;
        const bool side = parent == grand->_M_left;
        node *const uncle = child(grand, !side);
        if (is_red(uncle)) {
            parent->_M_color = uncle->_M_color = _S_black;
            grand->_M_color = _S_red;
            n = grand;
            continue;
        }
        if (n == child(parent, !side)) {
            rotate(parent, side, header);
            n = parent;
            parent = n->_M_parent;
        }
        parent->_M_color = _S_black;
        grand->_M_color = _S_red;
        rotate(grand, !side, header);
    }
    header._M_parent->_M_color = _S_black;
}

// A black node is missing above `n`, which may be null, below `above`.
static void restore_black(node *n, node *above, node &header)
{
    while (n != header._M_parent && !is_red(n)) {
        const bool side = n == above->_M_left;
        node *sibling = child(above, !side);
        if (is_red(sibling)) {
            sibling->_M_color = _S_black;
            above->_M_color = _S_red;
            rotate(above, side, header);
            sibling = child(above, !side);
        }
        if (!is_red(sibling->_M_left) && !is_red(sibling->_M_right)) {
            sibling->_M_color = _S_red;
            n = above;
            above = above->_M_parent;
            continue;
        }
        if (!is_red(child(sibling, !side))) {
            child(sibling, side)->_M_color = _S_black;
            sibling->_M_color = _S_red;
            rotate(sibling, !side, header);
            sibling = child(above, !side);
        }
        sibling->_M_color = above->_M_color;
        above->_M_color = _S_black;
        child(sibling, !side)->_M_color = _S_black;
        rotate(above, side, header);
        break;
    }
    if (n)
        n->_M_color = _S_black;
}

// `n` has at most one child, which comes up.
static node *unlink_end(node *n, node *up, node &header)
{
    node *const above = n->_M_parent;
    if (up)
        up->_M_parent = above;
    replace(n, up, header);
    if (header._M_left == n)
        header._M_left = up ? least(up) : above;
    if (header._M_right == n)
        header._M_right = up ? greatest(up) : above;
    return above;
}

// `next`, the one after `n`, takes its place; what comes up is below the node that is returned.
static node *unlink_inner(node *n, node *next, node &header)
{
    node *const up = next->_M_right;
    node *above = next;
    n->_M_left->_M_parent = next;
    next->_M_left = n->_M_left;
    if (next != n->_M_right) {
        above = next->_M_parent;
        if (up)
            up->_M_parent = above;
        above->_M_left = up;
        next->_M_right = n->_M_right;
        n->_M_right->_M_parent = next;
    }
    replace(n, next, header);
    next->_M_parent = n->_M_parent;
    const _Rb_tree_color color = next->_M_color;
    next->_M_color = n->_M_color;
    n->_M_color = color;
    return above;
}

node *_Rb_tree_rebalance_for_erase(node *const n, node &header) noexcept
{
    node *up, *above;
    if (n->_M_left && n->_M_right) {
        node *const next = least(n->_M_right);
        up = next->_M_right;
        above = unlink_inner(n, next, header);
    } else {
        up = n->_M_left ? n->_M_left : n->_M_right;
        above = unlink_end(n, up, header);
    }
    if (n->_M_color == _S_black)
        restore_black(up, above, header);
    return n;
}

// --- hash tables: how many buckets ---------------------------------------------------------------------------------------

namespace __detail
{

static bool is_prime(size_t n)
{
    for (size_t k = 2; k * k <= n; k++)
        if (n % k == 0)
            return false;
    return n > 1;
}

size_t _Prime_rehash_policy::_M_next_bkt(size_t n) const
{
    while (!is_prime(n))
        n++;
    _M_next_resize = static_cast<size_t>(static_cast<double>(n) * _M_max_load_factor);
    return n;
}

pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t buckets, size_t elements, size_t more) const
{
    const size_t first = 11;
    size_t all = elements + more;
    if (all <= _M_next_resize)
        return {false, 0};
    if (!_M_next_resize && all < first)
        all = first;
    const double wanted = static_cast<double>(all) / _M_max_load_factor;
    if (wanted < static_cast<double>(buckets)) {
        _M_next_resize = static_cast<size_t>(static_cast<double>(buckets) * _M_max_load_factor);
        return {false, 0};
    }
    const size_t least_count = static_cast<size_t>(wanted) + 1, twice = 2 * buckets;
    return {true, _M_next_bkt(least_count > twice ? least_count : twice)};
}

} // namespace __detail

} // namespace std
