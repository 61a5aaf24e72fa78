#include "recording/file.h"

#include "error.h"
#include "recording/container.h"
#include "recording/disk.h"
#include "recording/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

namespace recording {

namespace {

constexpr const char* remedy = "Copy it again, or record it anew.";

// Reads the bytes of a recording in memory like a file.
class Memory {
public:
    explicit Memory(std::span<const std::byte> bytes) : bytes_(bytes), left_(bytes) {}
    uint64_t size() const { return bytes_.size(); }
    size_t read(std::span<std::byte> buffer)
    {
        const size_t count = std::min(buffer.size(), left_.size());
        std::copy_n(left_.begin(), count, buffer.begin());
        left_ = left_.subspan(count);
        return count;
    }

private:
    std::span<const std::byte> bytes_, left_;
};

template <class File>
Header read_header(File& file, const std::string& name)
{
    std::array<std::byte, header_bytes> bytes{};
    const size_t got = file.read(bytes);
    if (!starts_like_header(std::span(bytes).first(got)))
        throw kernels::Error(fmt::format("{} is not a gemmscope recording. Name a file that was made with "
                                         "'gemmscope record'.",
                                         name));
    if (got < bytes.size())
        throw kernels::Error(fmt::format("{} is truncated: it has only {} bytes. {}", name, got, remedy));
    const std::optional<Header> header = header_from(bytes);
    if (!header)
        throw kernels::Error(fmt::format("{} is damaged: its first {} bytes do not match their checksum. {}", name,
                                         header_bytes, remedy));
    if (header->major > current_format.major || header->major < oldest_major) {
        const bool newer = header->major > current_format.major;
        throw kernels::Error(
            fmt::format("{} was written by {} gemmscope, in format {}.{}; this one reads formats {} to "
                        "{}. {}",
                        name, newer ? "a newer" : "an older", header->major, header->minor, oldest_major,
                        current_format.major, newer ? "Update gemmscope to open it." : "Record it anew."));
    }
    const uint64_t expected = file.size() - header_bytes;
    if (header->compressed_bytes > expected)
        throw kernels::Error(fmt::format("{} is truncated: {} bytes of {} are there. {}", name, expected,
                                         header->compressed_bytes, remedy));
    if (header->compressed_bytes < expected)
        throw kernels::Error(fmt::format("{} is damaged: {} bytes follow its end. {}", name,
                                         expected - header->compressed_bytes, remedy));
    if (header->uncompressed_bytes > content_limit)
        throw kernels::Error(fmt::format("{} is too large: it declares {} bytes of content, and {} are the most that "
                                         "gemmscope reads. Record fewer blocks or a smaller problem.",
                                         name, header->uncompressed_bytes, content_limit));
    return *header;
}

template <class File>
Content read_content(File& file, const Header& header, const std::string& name)
{
    try {
        return decompress([&](std::span<std::byte> buffer) { return file.read(buffer); }, header);
    } catch (const Damage& damage) {
        throw kernels::Error(fmt::format("{} is damaged: {}. {}", name, damage.what(), remedy));
    }
}

Recording recording_from(const Content& content, const std::string& name)
{
    Recording recording;
    try {
        recording = decode(content.bytes());
        check(recording);
    } catch (const kernels::Error& reason) {
        throw kernels::Error(fmt::format("{} is not a valid recording: {}. Record it anew.", name, reason.what()));
    }
    if (static_cast<std::size_t>(recording.inputs) >= inputs_names.size())
        throw kernels::Error(
            fmt::format("{} was made with inputs of kind {}, which this gemmscope does not know. Update "
                        "gemmscope to open it.",
                        name, static_cast<int>(recording.inputs)));
    return recording;
}

} // namespace

namespace {

template <class File>
Recording read_all(File& file, const std::string& name)
{
    const Header header = read_header(file, name);
    return recording_from(read_content(file, header, name), name);
}

Packed packed(const Recording& recording, const std::string& name)
{
    try {
        check(recording);
    } catch (const kernels::Error& reason) {
        throw kernels::Error(fmt::format("Cannot write {}: this is not a valid recording: {}. Record it anew, and "
                                         "please report this.",
                                         name, reason.what()));
    }
    const uint64_t bound = encoded_bound(recording);
    if (bound > content_limit)
        throw kernels::Error(fmt::format("Cannot write {}: the recording takes about {} MiB, and {} are the most. "
                                         "Record fewer blocks or a smaller problem.",
                                         name, (bound >> 20) + 1, content_limit >> 20));
    const flatbuffers::DetachedBuffer content = encode(recording);
    return pack(std::as_bytes(std::span(content.data(), content.size())));
}

} // namespace

void write(const Recording& recording, const std::filesystem::path& path)
{
    const std::string name = path.string();
    try {
        write_atomically(path, packed(recording, name).bytes());
    } catch (const std::bad_alloc&) {
        throw kernels::Error(fmt::format("Cannot write {}: not enough memory. Close other programs or record fewer "
                                         "blocks.",
                                         name));
    }
}

std::vector<std::byte> to_file_bytes(const Recording& recording)
{
    const Packed file = packed(recording, "the recording");
    return {file.bytes().begin(), file.bytes().end()};
}

Recording from_file_bytes(std::span<const std::byte> bytes)
{
    Memory file(bytes);
    return read_all(file, "The recording");
}

Recording read(const std::filesystem::path& path)
{
    const std::string name = path.string();
    try {
        InputFile file(path);
        return read_all(file, name);
    } catch (const std::bad_alloc&) {
        throw kernels::Error(
            fmt::format("Cannot read {}: not enough memory. Close other programs and try again.", name));
    }
}

} // namespace recording
