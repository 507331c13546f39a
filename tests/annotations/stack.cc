// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <mutex>
#include <vector>

namespace shop {
template <class T> class Stack {
    /// @Structure_Define
    /// @DeclareVar: std::vector<T> items; unsigned most = 0; T last;
    /// @InitVar: items.reserve(4);
    /// @DefineFunc: bool is_top(const T &value) const { return !items.empty() && items.back() == value; }
    /// @Happens_Before: Push -> Pop(found)
    std::vector<T> content;
    std::mutex lock;

  public:
    Stack() {}

    /** Puts it on top.
     *  @param value what
     *  @Method: Push
     *  @Ordering_Point_Set: Push_Point
     *  @SideEffect: items.push_back(value); if (items.size() > most) most = items.size();
     *  @PostCondition: is_top(value) && most > 0
     */
    void push(const T &value) noexcept
    {
        std::lock_guard<std::mutex> guard(lock);
        /** @Ordering_Point_Label_Check: true
         *  @Label: Push_Point */
        content.push_back(value);
    }

    bool pop(T &to);
};

/** @Method: Pop
    @Ordering_Point_Set: Pop_Point
    @HB_Condition: found :: __RET__
    @PreCondition: __RET__ == !items.empty()
    @SideEffect: if (!items.empty()) { last = items.back(); items.pop_back(); }
    @PostCondition: !__RET__ || to == last */
template <class T> bool Stack<T>::pop(T &to)
{
    std::lock_guard<std::mutex> guard(lock);
    /** @Ordering_Point_Label_Check: true
        @Label: Pop_Point */
    if (content.empty())
        return false;
    to = content.back();
    content.pop_back();
    return true;
}
} // namespace shop

int main()
{
    shop::Stack<int> stack;
    int got = 0;
    stack.push(7);
    return !stack.pop(got) || got != 7 || stack.pop(got);
}
