#include "recording/file.h"

#include "error.h"
#include "recording/disk.h"
#include "recording/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include <zstd.h>

namespace recording {

namespace {

constexpr const char* remedy = "Copy it again, or record it anew.";

// Reads the bytes of a recording in memory in the same way as a file.
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

namespace {

// Like PNG's signature: a byte that no text contains, and line ends that show a transfer in text mode.
constexpr std::array<unsigned char, 8> magic{0x89, 'G', 'S', 'C', '\r', '\n', 0x1a, '\n'};
constexpr size_t checked_bytes = header_bytes - sizeof(uint64_t);

// Higher levels take several times as long and save little, because the stored differences compress well at any level.
constexpr int level = 1;
constexpr int window_log = 23; // log2 of the largest window, in bytes, that a frame may require of the reader

template <class T>
void put(std::span<std::byte> bytes, size_t at, T value)
{
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

template <class T>
T get(std::span<const std::byte> bytes, size_t at)
{
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

// FNV-1a, 64 bits.
uint64_t hash(std::span<const std::byte> bytes)
{
    uint64_t value = 0xcbf29ce484222325;
    for (const std::byte byte : bytes)
        value = (value ^ std::to_integer<uint64_t>(byte)) * 0x100000001b3;
    return value;
}

struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

} // namespace

void Content::reserve(size_t new_capacity)
{
    auto* const larger = static_cast<std::byte*>(std::realloc(data.get(), new_capacity));
    if (!larger)
        throw std::bad_alloc(); // data is unchanged
    static_cast<void>(data.release());
    data.reset(larger);
    capacity = new_capacity;
}

std::array<std::byte, header_bytes> to_bytes(const Header& header)
{
    std::array<std::byte, header_bytes> bytes{};
    std::memcpy(bytes.data(), magic.data(), magic.size());
    put(bytes, 8, header.major);
    put(bytes, 10, header.minor);
    put(bytes, 12, uint32_t{0});
    put(bytes, 16, header.compressed_bytes);
    put(bytes, 24, header.uncompressed_bytes);
    put(bytes, checked_bytes, hash(std::span(bytes).first(checked_bytes)));
    return bytes;
}

bool starts_like_header(std::span<const std::byte> bytes)
{
    return std::memcmp(bytes.data(), magic.data(), std::min(bytes.size(), magic.size())) == 0;
}

std::optional<Header> header_from(std::span<const std::byte, header_bytes> bytes)
{
    if (get<uint64_t>(bytes, checked_bytes) != hash(bytes.first(checked_bytes)))
        return {};
    return Header{get<uint16_t>(bytes, 8), get<uint16_t>(bytes, 10), get<uint64_t>(bytes, 16),
                  get<uint64_t>(bytes, 24)};
}

Packed pack(std::span<const std::byte> content)
{
    const std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
    if (!context)
        throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    Packed file;
    file.reserve(header_bytes + ZSTD_compressBound(content.size()));
    const std::span<std::byte> frame = file.room().subspan(header_bytes);
    const size_t bytes = ZSTD_compress2(context.get(), frame.data(), frame.size(), content.data(), content.size());
    if (ZSTD_isError(bytes))
        throw std::bad_alloc(); // the only possible reason: the output has room for the worst case
    Header header = current_format;
    header.compressed_bytes = bytes;
    header.uncompressed_bytes = content.size();
    std::ranges::copy(to_bytes(header), file.room().begin());
    file.add(header_bytes + bytes);
    return file;
}

Content decompress(const ReadBytes& read, const Header& header)
{
    const std::unique_ptr<ZSTD_DCtx, Free> context(ZSTD_createDCtx());
    if (!context)
        throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, window_log);
    // Allocates one byte more than the header announces. If it is filled, the content is too long.
    const size_t enough = header.uncompressed_bytes + 1;
    constexpr size_t at_least = size_t{1} << 20;
    Content content;
    content.reserve(std::min(enough, at_least));
    std::vector<std::byte> chunk(ZSTD_DStreamInSize());
    ZSTD_inBuffer input{chunk.data(), 0, 0};
    for (bool finished = false, more_inside = false; !finished;) {
        if (input.pos == input.size && !more_inside) {
            input = {chunk.data(), read(chunk), 0};
            if (input.size == 0)
                throw Damage("its content ends too early");
        }
        if (content.room().empty())
            content.reserve(std::min(enough, 2 * content.bytes().size()));
        ZSTD_outBuffer output{content.room().data(), content.room().size(), 0};
        const size_t result = ZSTD_decompressStream(context.get(), &output, &input);
        if (ZSTD_isError(result))
            throw Damage(std::string("its content cannot be decompressed (") + ZSTD_getErrorName(result) + ")");
        content.add(output.pos);
        if (content.bytes().size() == enough)
            throw Damage("its content is larger than declared");
        finished = result == 0;
        more_inside = output.pos == output.size;
    }
    if (input.pos != input.size || read(std::span(chunk).first(1)) != 0)
        throw Damage("something follows its content");
    if (content.bytes().size() != header.uncompressed_bytes)
        throw Damage("its content is smaller than declared");
    return content;
}

} // namespace recording
