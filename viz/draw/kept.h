// A value that is computed anew only where what it is of has changed: within a frame there is no time for it.
#pragma once

#include <optional>

namespace viz {

template <class Key, class Value>
class Kept {
public:
    template <class Make>
    const Value& get(const Key& key, Make make)
    {
        if (of != key) {
            value = make();
            of = key;
        }
        return value;
    }

private:
    std::optional<Key> of;
    Value value{};
};

} // namespace viz
