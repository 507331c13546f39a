/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --leaks */
/* note: values that allocate, a state that does, a call that is left by an exception */
#include <atomic>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>

class Registry {
    /** @Structure_Define:
        @DeclareVar: std::map<std::string, int> known;
        @InitVar: known.clear();
        @Happens_Before: Enter -> Ask(found) */
    std::atomic<int> slots[2] = {};

  public:
    /** @Interface: Enter
        @Ordering_Point_Set: Entered
        @SideEffect: known[name + std::string(40, '.')] = value; */
    void enter(std::string name, int value)
    {
        if (name.empty())
            throw std::invalid_argument("no name, which is long enough to be on the heap");
        slots[name[0] & 1].store(value, std::memory_order_release);
        /** @Ordering_Point_Label_Check: true
            @Label: Entered */
    }

    /** @Interface: Ask
        @Ordering_Point_Set: Asked
        @HB_Condition: found :: __RET__ != 0
        @ID: 0
        @PostCondition: known[name + std::string(40, '.')] == __RET__ */
    int ask(const std::string &name) const
    {
        int found = slots[name[0] & 1].load(std::memory_order_acquire);
        /** @Ordering_Point_Label_Check: true
            @Label: Asked */
        return found;
    }
};

int main()
{
    Registry registry;
    std::thread other([&] {
        registry.enter("a name that does not fit into the string itself", 1);
        try {
            registry.enter("", 3);
        } catch (const std::invalid_argument &) {
        }
        registry.enter("b name that does not fit into the string itself", 2);
    });
    registry.ask("a name that does not fit into the string itself");
    registry.ask("b name that does not fit into the string itself");
    other.join();
}
