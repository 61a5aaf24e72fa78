// Caches values that are derived from a recording, by function and arguments, so that a view can request them in each
// frame.
#pragma once

#include "viz/background.h"

#include "recording/recording.h"

#include <algorithm>
#include <any>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <typeindex>
#include <utility>

namespace viz {

using RecordingPtr = std::shared_ptr<const recording::Recording>;

// Belongs to one column and is used only on the window's thread. A call with another recording drops everything. For
// each function, answers for the last few distinct arguments are kept. Within a frame, references to so many answers
// stay valid.
//
// Arguments are compared by ==. Parts of the recording (a block, a warp) are compared by address, since the recording
// is kept alive.
class Memo {
public:
    // The number of answers that are kept for one function, each for other arguments: by value(), by later(), and by
    // tool(), whose objects can be large.
    static constexpr std::size_t most_values = 16, most_later = 4, most_tools = 2;

    // Begins a new frame and clears busy().
    void begin_frame() { ++frame_; }
    // Returns whether an answer is still being computed that the current frame needs. Another frame is then needed.
    bool busy() const { return missed_in_ == frame_; }

    // Returns function(*recording, arguments...), computed once. A function that takes the pointer gets the pointer.
    template <auto function, class... Arguments>
    const auto& value(const RecordingPtr& recording, const Arguments&... arguments)
    {
        using Value = Answer<function, Arguments...>;
        return kept<Of<function>, Value, most_values>(
            recording, [&] { return std::make_shared<Value>(result_of<function>(recording, arguments...)); },
            arguments...);
    }

    // Like value(), but computes on another thread unless `quick`. Returns null until the answer is ready.
    template <auto function, class... Arguments>
    auto later(const RecordingPtr& recording, bool quick, const Arguments&... arguments)
    {
        using Value = Answer<function, Arguments...>;
        Later<Value>& answer = kept<Of<function>, Later<Value>, most_later>(
            recording,
            [&] {
                auto made = std::make_shared<Later<Value>>();
                made->work.start(
                    [recording, keys = std::tuple(key_of(arguments)...)] {
                        return std::apply(
                            [&](const auto&... key) {
                                return result_of<function>(recording, argument_of<Arguments>(key)...);
                            },
                            keys);
                    },
                    quick);
                return made;
            },
            arguments...);
        if (auto done = answer.work.take())
            answer.value.emplace(std::move(*done));
        if (!answer.value)
            missed_in_ = frame_;
        return answer.value ? &std::as_const(*answer.value) : nullptr;
    }

    // Returns an object with its own state, such as a position in time. It is constructed once as Type(recording,
    // arguments...).
    template <class Type, class... Arguments>
    Type& tool(const RecordingPtr& recording, const Arguments&... arguments)
    {
        return kept<Type, Type, most_tools>(
            recording, [&] { return std::make_shared<Type>(recording, arguments...); }, arguments...);
    }

private:
    template <auto function, class... Arguments>
    static decltype(auto) result_of(const RecordingPtr& recording, const Arguments&... arguments)
    {
        if constexpr (std::invocable<decltype(function), const RecordingPtr&, const Arguments&...>)
            return function(recording, arguments...);
        else
            return function(*recording, arguments...);
    }
    template <auto function, class... Arguments>
    using Answer = std::decay_t<decltype(result_of<function>(std::declval<const RecordingPtr&>(),
                                                             std::declval<const Arguments&>()...))>;
    template <auto function>
    struct Of {
    };
    template <class Value>
    struct Later {
        Background<Value> work;
        std::optional<Value> value;
        bool running() const { return work.running(); }
    };
    struct Entry {
        std::type_index question;
        std::any key;
        std::shared_ptr<void> value;
        std::function<bool()> running; // empty if the answer is never computed on another thread
    };

    template <class T>
    static constexpr bool is_part = std::same_as<T, recording::BlockTrace> || std::same_as<T, recording::WarpTrace>;
    template <class T>
    static auto key_of(const T& argument)
    {
        if constexpr (is_part<T>)
            return &argument;
        else
            return argument;
    }
    template <class T>
    static const T& argument_of(const auto& key)
    {
        if constexpr (is_part<T>)
            return *key;
        else
            return key;
    }

    template <class Question, class Value, std::size_t most, class Make, class... Arguments>
    Value& kept(const RecordingPtr& recording, Make make, const Arguments&... arguments)
    {
        if (of_ != recording) {
            drop_if([](const Entry&) { return true; });
            of_ = recording;
        }
        const std::type_index question = typeid(Question);
        const auto key = std::tuple(key_of(arguments)...);
        const auto found = std::ranges::find_if(entries_, [&](const Entry& one) {
            const auto* other = one.question == question ? std::any_cast<decltype(key)>(&one.key) : nullptr;
            return other != nullptr && *other == key;
        });
        if (found != entries_.end()) {
            entries_.splice(entries_.begin(), entries_, found);
            return *static_cast<Value*>(entries_.front().value.get());
        }
        forget_oldest(question, most);
        const std::shared_ptr<Value> made = make(); // make() may call the memo
        Entry entry{question, key, made, {}};
        if constexpr (requires(const Value& value) { value.running(); })
            entry.running = [of = made.get()] { return of->running(); };
        entries_.push_front(std::move(entry));
        return *made;
    }

    void forget_oldest(std::type_index question, std::size_t most)
    {
        std::size_t count = 0;
        drop_if([&](const Entry& one) { return one.question == question && ++count >= most; });
    }

    // Drops entries. An entry that is still being computed moves to outdated_, because its destructor would wait.
    void drop_if(auto outdated)
    {
        std::erase_if(outdated_, [](const Entry& one) { return !one.running(); });
        for (auto entry = entries_.begin(); entry != entries_.end();) {
            const auto here = entry++;
            if (!outdated(*here))
                continue;
            if (here->running && here->running())
                outdated_.splice(outdated_.end(), entries_, here);
            else
                entries_.erase(here);
        }
    }

    RecordingPtr of_;           // null before the first call
    std::list<Entry> entries_;  // most recently used first
    std::list<Entry> outdated_; // dropped while still being computed
    uint64_t frame_ = 0;
    std::optional<uint64_t> missed_in_; // the last frame that needed a missing answer
};

} // namespace viz
