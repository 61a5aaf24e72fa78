// What two gemmscope processes send each other over a stream of bytes: messages with a header, a number and a checksum, large
// ones in pieces, so that nothing waits behind a recording.
//
// The worker's first line is text, `greeting()`: it stays as it is, so that other versions can always be refused in words, and
// what a shell prints before it is skipped. Frames follow: the header below, all integers little-endian, then `length` bytes.
// Tasks and results in messages are CBOR (app/tasks/bytes.h). FlatBuffers would name the header's fields once more, and could
// not be cut into pieces while it is sent.
#pragma once

#include "app/tasks/machine.h"

#include "recording/disk.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app {

enum class MessageKind : uint8_t {
    open = 1, // to the worker, first: opening()
    task,     // to the worker: lane, id, the task
    cancel,   // to the worker: id
    machine,  // from the worker: its machine, when it is known
    progress, // from the worker: id
    result,   // from the worker: id; the task's end
    failure,  // likewise
    lost,     // from the worker: after the task that just ended it is of no use any more; nothing follows
    pulse,    // from the worker, twice a second: of each lane how many ms it has been quiet, or -1
};

struct Message {
    MessageKind kind = MessageKind::pulse;
    uint8_t lane = 0;
    uint64_t id = 0;
    std::vector<std::byte> body;
};

inline constexpr std::size_t largest_piece = 1 << 18;
inline constexpr std::string_view greeting_begins = "gemmscope worker ";

// What the other side may send, in bytes: who sends more is not understood. A task and its result are as large as the recording
// that they hold, and a recording's file has at most 1 GiB of content (recording/format.h).
inline constexpr std::size_t largest_greeting = 1 << 16; // with what a shell prints before it
inline constexpr std::size_t largest_figures = 1 << 26;  // of a result without a recording
inline constexpr std::size_t largest_recording = (std::size_t{1} << 30) + largest_figures;
inline constexpr std::size_t most_unfinished = 16; // messages of which some pieces have come

std::string greeting(); // "gemmscope worker VERSION PROTOCOL", without the end of line

// Which device is wanted, as text: the backend, empty for the best, a space, and the GPU, empty for the first.
std::string opening(const WantedDevice& wanted);
WantedDevice wanted_in(std::string_view opening);

// Writes messages, called from several threads; pieces of different messages alternate.
class Outbox {
public:
    explicit Outbox(recording::FileDescriptor to) : to_(std::move(to)) {}

    // False: nobody reads any more.
    bool send(const Message& message);
    bool send_line(std::string_view line);

private:
    bool write(std::span<const std::byte> bytes);

    std::mutex mutex_;
    recording::FileDescriptor to_;
    uint32_t next_ = 0; // number of the frame
};

// How large a message of this kind may be; none: this side takes no such message.
enum class Side { worker, client };
std::optional<std::size_t> largest_of(MessageKind kind, Side taker);

// Puts messages together from bytes as they come. What is too large is refused at the first piece that says so, so no more is
// kept than the messages that are allowed have bytes.
class Inbox {
public:
    using Allowed = std::function<std::optional<std::size_t>(MessageKind kind, uint64_t id)>; // see largest_of()
    explicit Inbox(Allowed allowed) : allowed_(std::move(allowed)) {}

    void add(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

    // A line of text, while no message was asked for; none where its end has not come yet. Throws kernels::Error after
    // largest_greeting bytes.
    std::optional<std::string> line();

    // The next whole message. Throws kernels::Error where what came was not sent so, changed or cut on its way, or is not allowed.
    std::optional<Message> next();

private:
    using Key = std::pair<MessageKind, uint64_t>;
    void check_size(const Key& key, std::size_t piece, bool last) const;
    void drop(std::size_t count);

    Allowed allowed_;
    std::size_t text_ = 0; // bytes of lines
    std::vector<std::byte> bytes_;
    std::size_t begin_ = 0; // of what was not taken yet
    uint32_t next_ = 0;
    std::map<Key, std::vector<std::byte>> parts_;
};

} // namespace app
