/* One access for each way in which memory gets a name; the case `names` has what is printed. */
#include "names_wrapper.h"

#include <array>
#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Node {
    long value = 0;
    std::atomic<Node *> next{nullptr};
};

struct Cell {
    int pad;
    std::atomic<int> v{0};
};

struct Row {
    long key;
    Cell cell;
};

struct Table {
    Row rows[4];
} t;

template <class A, class B, class C, class D> struct Queue {
    static std::atomic<int> head;
    std::atomic<int> tail{0};
};
template <class A, class B, class C, class D> std::atomic<int> Queue<A, B, C, D>::head;

namespace {
std::atomic<int> hidden;
}

std::atomic<Node *> top;
std::atomic<void (*)(int)> action;
std::array<std::atomic<int>, 4> slots;
thread_local std::atomic<int> mine;
struct alignas(16) Tagged {
    Node *node;
    unsigned long tag;
};
std::atomic<Tagged> tagged;
Value<int> value;
Node spare;

void act(int n) { hidden.store(n); }

static void count() {
    static std::atomic<int> calls;
    calls.fetch_add(1);
}

static void bump(std::atomic<int> &counter) { counter.fetch_add(1); }

struct Base {
    std::atomic<int> refs{1};
    virtual ~Base() = default;
};
struct Derived : Base {
    std::atomic<int> extra{0};
};

// The type of what is made is a parameter of the class around this one.
template <typename T> struct Ring {
    struct Slots {
        std::atomic<T> *at;
        explicit Slots(std::size_t n) : at{new std::atomic<T>[n]} {}
        ~Slots() { delete[] at; }
    };
    Slots *make(std::size_t n) {
        Slots *slots = new Slots(n);
        return slots;
    }
};

static void heap_rows() {
    top.store(new Node);                 // no local variable has the type
    top.load()->next.store(&spare);
    Node *many = new Node[3];
    many[2].next.store(many);
    auto shared = std::make_shared<Node>();
    shared->next.store(shared.get());
    auto unique = std::make_unique<Node>();
    unique->next.store(nullptr);
    std::vector<Cell> cells(3);
    cells[1].v.store(7);
    std::unique_ptr<std::atomic<int>[]> flags(new std::atomic<int>[4]);
    flags[2].store(1);
    auto *number = new std::atomic<long>(5);
    number->store(6);
    std::unique_ptr<Base> base = std::make_unique<Derived>();
    base->refs.store(3);
    static_cast<Derived *>(base.get())->extra.store(4);
    auto *q = new Queue<int, std::vector<std::string>, std::shared_ptr<Node>, std::array<char, 4>>;
    q->tail.store(1);
    auto *slots = Ring<long>().make(2);
    slots->at[1].store(8);
    delete slots;
    delete q;
    delete number;
    delete[] many;
    delete top.load();
}

static void stack_rows() {
    Cell local;
    bump(local.v);
    local.v.store(2);
    std::array<std::atomic<int>, 2> pair{};
    pair[1].store(3);
    std::atomic<int> captured{0};
    std::thread([&] { captured.store(9); }).join();
    int n = 3;
    auto add = [n, inner = std::make_shared<std::atomic<int>>(0)] { inner->store(n); };
    add();
    std::mutex lock;
    lock.lock();
    lock.unlock();
}

#if __cplusplus >= 202002L
#include <semaphore>
static std::counting_semaphore<2> permits(2);
static void wait_rows() {
    permits.acquire();
    slots[0].store(1);
    slots[0].wait(0);
}
#else
static void wait_rows() {}
#endif

int main() {
    heap_rows();
    stack_rows();
    t.rows[2].cell.v.store(1);
    slots[3].store(2);
    mine.store(3);
    Queue<int, std::vector<std::string>, std::shared_ptr<Node>, std::array<char, 4>>::head.store(4);
    hidden.store(5);
    action.store(act);
    action.load()(3);
    count();
    wrapped_store(&slots[1], 6);
    value.load_relaxed();
    wrapped_twice(slots[2]);
    tagged.store({&spare, 1});
    Tagged expected = {&spare, 1};
    tagged.compare_exchange_strong(expected, {nullptr, 2});
    /* The second word is not of the write that is named as the source. */
    reinterpret_cast<std::atomic<Node *> &>(tagged).store(&spare);
    expected = {&spare, 2};
    tagged.compare_exchange_strong(expected, {nullptr, 3});
    wait_rows();
    assert(false);
}
