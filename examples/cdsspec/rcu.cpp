// SPDX-License-Identifier: Apache-2.0
// Read-copy-update: readers follow one pointer, updaters replace what it points to by a changed copy. An update happens before every
// read and every update that finds it.
//
//   (none)       two threads update, two read
//   -DTWO        two objects; each thread updates one and reads the other. Both reads may find the old data, which no order of
//                the four calls explains that keeps the order of each thread: this RCU is not linearizable.
//   -DEXTENDED   three updates, so that an update may find another's twice
#include <atomic>
#include <functional>
#include <thread>

struct Node {
    int data;
    int version;
};

class Rcu {
    /** @Structure_Define:
        @DeclareVar: int _data, _version;
        @InitVar: _data = 0; _version = 0;
        @Happens_Before: Update->Read Update->Update */
    std::atomic<Node *> node;

  public:
    Rcu()
    {
        Node *n = new Node;
        n->data = 0;
        n->version = 0;
        std::atomic_init(&node, n);
    }

    /** @Interface: Read
        @Ordering_Point_Set: Read_Point
        @ID: this
        @PostCondition: _data == *data && _version == *version */
    void read(int *data, int *version)
    {
        Node *found = node.load(std::memory_order_acquire);
        /** @Ordering_Point_Label_Check: true
            @Label: Read_Point */
        *data = found->data;
        *version = found->version;
    }

    /** @Interface: Update
        @Ordering_Point_Set: Update_Point
        @ID: this
        @SideEffect: _data = data; _version++; */
    void update(int data)
    {
        bool succeeded = false;
        Node *copy = new Node;
        Node *old = node.load(std::memory_order_acquire);
        do {
            copy->data = data;
            copy->version = old->version + 1;
            succeeded = node.compare_exchange_strong(old, copy,
                                                     std::memory_order_acq_rel,
                                                     std::memory_order_acquire);
            /** @Ordering_Point_Label_Check: succeeded
                @Label: Update_Point */
        } while (!succeeded);
    }
};

#ifdef TWO
static void update_and_read(Rcu &mine, Rcu &theirs)
{
    int data, version;
    mine.update(1);
    theirs.read(&data, &version);
}

int main()
{
    Rcu x, y;
    std::thread one(update_and_read, std::ref(x), std::ref(y));
    std::thread two(update_and_read, std::ref(y), std::ref(x));
    one.join();
    two.join();
}
#else
static void reader(Rcu &rcu)
{
    int data, version;
    rcu.read(&data, &version);
}

static void updater(Rcu &rcu, int data)
{
    rcu.update(data);
#ifdef EXTENDED
    if (data == 1)
        rcu.update(3);
#endif
}

int main()
{
    Rcu rcu;
    std::thread threads[] = {std::thread(updater, std::ref(rcu), 1), std::thread(updater, std::ref(rcu), 2),
                             std::thread(reader, std::ref(rcu)), std::thread(reader, std::ref(rcu))};
    for (std::thread &thread : threads)
        thread.join();
}
#endif
