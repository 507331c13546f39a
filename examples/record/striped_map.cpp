// SPDX-License-Identifier: Apache-2.0
// A benchmark of a map whose keys are spread over several locks, which records itself.
//
//   c++ -O2 striped_map.cpp -lplumb-record -pthread && ./a.out run.bin && plumb monitor run.bin
//   ./a.out - | plumb monitor --spec map -
//
// With -DBROKEN put_if_absent looks for the key, gives the lock back, and takes it again to put: two threads can both be the first.
#include <plumb/record.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

class striped_map
{
    static constexpr std::size_t stripes = 8;
    struct stripe {
        std::mutex lock;
        std::unordered_map<std::string, long> values;
    };
    stripe stripes_[stripes];

    stripe &of(const std::string &key)
    {
        return stripes_[std::hash<std::string>()(key) % stripes];
    }

  public:
    void put(const std::string &key, long value)
    {
        stripe &s = of(key);
        std::lock_guard<std::mutex> guard(s.lock);
        s.values[key] = value;
    }

    bool get(const std::string &key, long &value)
    {
        stripe &s = of(key);
        std::lock_guard<std::mutex> guard(s.lock);
        auto found = s.values.find(key);
        if (found == s.values.end())
            return false;
        value = found->second;
        return true;
    }

    bool remove(const std::string &key)
    {
        stripe &s = of(key);
        std::lock_guard<std::mutex> guard(s.lock);
        return s.values.erase(key) > 0;
    }

    bool put_if_absent(const std::string &key, long value)
    {
#ifdef BROKEN
        long there;
        if (get(key, there))
            return false;
        std::this_thread::yield();
        put(key, value);
        return true;
#else
        stripe &s = of(key);
        std::lock_guard<std::mutex> guard(s.lock);
        return s.values.emplace(key, value).second;
#endif
    }
};

static striped_map map;

static void work(long thread, long operations)
{
    std::minstd_rand random(static_cast<unsigned>(thread + 1));
    for (long i = 0; i < operations; i++) {
        std::string key = "key " + std::to_string(random() % 16);
        long value = thread * operations + i;
        switch (random() % 4) {
        case 0:
            plumb_call("map", "put", key, value);
            map.put(key, value);
            plumb_return();
            break;
        case 1: {
            plumb_call("map", "get", key);
            bool found = map.get(key, value);
            plumb_return(plumb_maybe(found, value));
            break;
        }
        case 2:
            plumb_call("map", "remove", key);
            plumb_return(map.remove(key));
            break;
        default: plumb_call("map", "put_if_absent", key, value); plumb_return(map.put_if_absent(key, value));
        }
    }
}

int main(int count, char **words)
{
    long operations = count > 2 ? std::atol(words[2]) : 100000;
    if (plumb_record_open(count > 1 ? words[1] : nullptr) != 0) {
        std::perror("cannot record");
        return 1;
    }
    std::vector<std::thread> threads;
    for (long i = 0; i < 4; i++)
        threads.emplace_back(work, i, operations);
    for (auto &thread : threads)
        thread.join();
    if (plumb_record_close() != 0)
        std::perror("the recording is not complete");
    return 0;
}
