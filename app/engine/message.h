// Protocol of two gemmscope processes over a byte stream: messages with a header, a number and a checksum. Large
// messages are sent in pieces, so that nothing waits behind a recording.
//
// The worker's first line is the text of `greeting()`. Its form never changes, so that every version can refuse another
// version with a sentence. Output that a shell prints before the greeting is skipped. Frames follow: the header below
// with all integers little-endian, then `length` bytes.
//
// Tasks and results in messages are CBOR (app/engine/bytes.h). FlatBuffers would need the header's fields named once
// more, and a FlatBuffers message could not be cut into pieces while it is sent.
#pragma once

#include "app/engine/machine.h"

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
    open = 1, // to the worker, first message: opening()
    task,     // to the worker: lane, id, task
    cancel,   // to the worker: id
    machine,  // from the worker, when its machine is known: the machine
    progress, // from the worker: id, progress
    result,   // from the worker: id, result; ends the task
    failure,  // from the worker: id, failure; ends the task
    lost,     // from the worker: it cannot run tasks after the one that just ended; last message
    pulse,    // from the worker, twice a second: ms since the last sign of life of each lane, or -1
};

struct Message {
    MessageKind kind = MessageKind::pulse;
    uint8_t lane = 0;
    uint64_t id = 0;
    std::vector<std::byte> body;
};

inline constexpr std::size_t largest_piece = 1 << 18;
inline constexpr std::string_view greeting_begins = "gemmscope worker ";

// Limits in bytes for what the other side may send; a longer message is an error. A task and its result are as large as
// the recording in them. A recording file has at most 1 GiB of content (recording/format.h).
inline constexpr std::size_t largest_greeting = 1 << 16; // includes what a shell prints before the greeting
inline constexpr std::size_t largest_figures = 1 << 26;  // a result without a recording
inline constexpr std::size_t largest_recording = (std::size_t{1} << 30) + largest_figures;
inline constexpr std::size_t most_unfinished = 16; // messages of which only some pieces have arrived

std::string greeting(); // "gemmscope worker VERSION PROTOCOL", without the newline

// Encodes the requested device as text: the backend (empty for the best), a space, and the GPU (empty for the first).
std::string opening(const WantedDevice& wanted);
WantedDevice wanted_in(std::string_view opening);

// Writes messages to a stream. Several threads may call it; pieces of different messages alternate.
class Outbox {
public:
    explicit Outbox(recording::FileDescriptor to) : to_(std::move(to)) {}

    // Returns false if the reader has closed the stream.
    bool send(const Message& message);
    bool send_line(std::string_view line);

private:
    bool write(std::span<const std::byte> bytes);

    std::mutex mutex_;
    recording::FileDescriptor to_;
    uint32_t next_ = 0; // number of the next frame
};

// Returns the largest size of a message of this kind, or nothing if this side does not accept such a message.
enum class Side { worker, client };
std::optional<std::size_t> largest_of(MessageKind kind, Side taker);

// Reassembles messages from bytes as they arrive. Refuses a message at the first piece that exceeds its limit, so
// memory stays within the size of the allowed messages.
class Inbox {
public:
    using Allowed = std::function<std::optional<std::size_t>(MessageKind kind, uint64_t id)>; // see largest_of()
    explicit Inbox(Allowed allowed) : allowed_(std::move(allowed)) {}

    void add(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

    // Returns a line of text, or nothing if its end has not arrived. Call it only before the first message. Throws
    // kernels::Error after largest_greeting bytes.
    std::optional<std::string> line();

    // Returns the next complete message, or nothing if it has not arrived. Throws kernels::Error if the bytes were
    // corrupted or truncated in transit, or if the message is not allowed.
    std::optional<Message> next();

private:
    using Key = std::pair<MessageKind, uint64_t>;
    void check_size(const Key& key, std::size_t piece, bool last) const;
    void drop(std::size_t count);

    Allowed allowed_;
    std::size_t text_ = 0; // bytes read as lines
    std::vector<std::byte> bytes_;
    std::size_t begin_ = 0; // start of the bytes that were not consumed yet
    uint32_t next_ = 0;
    std::map<Key, std::vector<std::byte>> parts_;
};

} // namespace app
