// SPDX-License-Identifier: Apache-2.0
// A lock-free hash table that never grows: a slot is claimed for a key by a compare-and-exchange, and its value replaced by another. Keys
// are objects: to compare two of them is to look into them.
//
//   (none)       two threads, each of which updates and reads the value of one key
//   -DTWO        two keys; each thread updates one and reads the other, and both may find nothing
//   -DEXTENDED   two keys that collide, and a key that is given as two objects
#include <atomic>
#include <functional>
#include <thread>

struct Key {
    int id;
};

class HashTable {
    /** @Structure_Define:
        @DeclareVar: int _values[4];
        @InitVar: for (int i = 0; i < 4; i++) _values[i] = 0;
        @Happens_Before: Put->Get(found) Put->Put(replaced) */
    static constexpr int size = 4;
    struct Slot {
        std::atomic<Key *> key;
        std::atomic<int> value; // 0: none
    };
    Slot slots[size];

    static int hash(const Key *key)
    {
        return key->id / 2;
    }

  public:
    HashTable()
    {
        for (Slot &slot : slots) {
            std::atomic_init(&slot.key, static_cast<Key *>(nullptr));
            std::atomic_init(&slot.value, 0);
        }
    }

    /** @Interface: Put
        @Ordering_Point_Set: Put_Key | Put_Value
        @ID: key->id
        @HB_Condition: replaced :: __RET__ != 0
        @PreCondition: __RET__ == _values[key->id]
        @SideEffect: _values[key->id] = value; */
    int put(Key *key, int value)
    {
        for (int i = hash(key);; i++) {
            Slot &slot = slots[i % size];
            Key *there = slot.key.load(std::memory_order_acquire);
            if (!there && slot.key.compare_exchange_strong(there, key,
                                                           std::memory_order_release,
                                                           std::memory_order_acquire)) {
                /** @Ordering_Point_Label_Check: true
                    @Label: Put_Key */
                there = key;
            }
            if (there->id != key->id)
                continue;
            int old = slot.value.load(std::memory_order_relaxed);
            while (!slot.value.compare_exchange_strong(old, value,
                                                       std::memory_order_acq_rel,
                                                       std::memory_order_relaxed))
                ;
            /** @Ordering_Point_Label_Check: true
                @Label: Put_Value */
            return old;
        }
    }

    /** @Interface: Get
        @Ordering_Point_Set: Get_Key | Get_Value
        @ID: key->id
        @HB_Condition: found :: __RET__ != 0
        @PreCondition: __RET__ == _values[key->id] */
    int get(Key *key)
    {
        for (int i = hash(key);; i++) {
            Slot &slot = slots[i % size];
            Key *there = slot.key.load(std::memory_order_acquire);
            /** @Ordering_Point_Label_Check: !there
                @Label: Get_Key */
            if (!there)
                return 0;
            if (there->id != key->id)
                continue;
            int value = slot.value.load(std::memory_order_acquire);
            /** @Ordering_Point_Label_Check: true
                @Label: Get_Value */
            return value;
        }
    }
};

#ifdef EXTENDED
static void put_both(HashTable &table, int value)
{
    table.put(new Key{0}, value);
    table.put(new Key{1}, value);
}
#else
static void put_and_get(HashTable &table, int put_id, int value, int get_id)
{
    table.put(new Key{put_id}, value);
    Key other{get_id};
    table.get(&other);
}
#endif

int main()
{
    HashTable table;
#if defined TWO
    std::thread one(put_and_get, std::ref(table), 0, 1, 1), two(put_and_get, std::ref(table), 1, 2, 0);
#elif defined EXTENDED
    std::thread one(put_both, std::ref(table), 1), two(put_both, std::ref(table), 2);
    Key key{1};
    table.get(&key);
#else
    std::thread one(put_and_get, std::ref(table), 0, 1, 0), two(put_and_get, std::ref(table), 0, 2, 0);
#endif
    one.join();
    two.join();
}
