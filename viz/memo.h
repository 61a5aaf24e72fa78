// Caches what is derived of a recording, by function and arguments, so that a view may ask for it anew in each frame.
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

// Belongs to one column and to the window's thread. Everything is dropped as soon as another recording is asked about. Of each
// function the answers for the last few different arguments stay, so a frame may hold references to as many.
//
// Arguments are compared by ==, but parts of the recording (a block, a warp) by their address, since the recording is kept alive.
class Memo {
public:
    // Different arguments of one function whose answers are kept: of value(), of later(), and of tool(), whose types can be large.
    static constexpr std::size_t most_values = 16, most_later = 4, most_tools = 2;

    // A new picture is begun: what was missing in the one before may be there now.
    void begin_frame() { ++frame_; }
    // The picture lacks an answer that is being computed: another frame is needed.
    bool busy() const { return missed_in_ == frame_; }

    // function(*recording, arguments...), or of the pointer where the function takes that; computed once.
    template <auto function, class... Arguments>
    const auto& value(const RecordingPtr& recording, const Arguments&... arguments)
    {
        using Value = Answer<function, Arguments...>;
        return kept<Of<function>, Value, most_values>(
            recording, [&] { return std::make_shared<Value>(result_of<function>(recording, arguments...)); },
            arguments...);
    }

    // The same, beside the frames where it is not `quick`. Null while it is being computed.
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

    // What has a state of its own, such as a place in time: Type(recording, arguments...).
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
        std::function<bool()> running; // empty: the answer is there at once
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
        const std::shared_ptr<Value> made = make(); // it may ask in its turn
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

    // What is still being computed runs to its end beside the frames: its destructor would wait for that.
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

    RecordingPtr of_;           // null before the first question
    std::list<Entry> entries_;  // what was asked last first
    std::list<Entry> outdated_; // dropped while it was being computed
    uint64_t frame_ = 0;
    std::optional<uint64_t> missed_in_; // the last frame in which an answer was missing
};

} // namespace viz
