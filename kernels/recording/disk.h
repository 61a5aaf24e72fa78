// Files on disk, read in sequence and replaced atomically, and the current time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace recording {

// Owns a file descriptor; -1 means none.
class FileDescriptor {
public:
    explicit FileDescriptor(int descriptor = -1) : number(descriptor) {}
    FileDescriptor(FileDescriptor&& other) noexcept;
    FileDescriptor& operator=(FileDescriptor&& other) noexcept;
    ~FileDescriptor();
    int get() const { return number; }
    bool close(); // false: written data may not have reached the disk; errno has the reason

private:
    int number;
};

class InputFile {
public:
    // Opens a regular file. Throws kernels::Error, as a sentence, if it is missing, not readable or not a regular file.
    explicit InputFile(const std::filesystem::path& name);

    uint64_t size() const { return bytes; } // size when the file was opened

    // Fills the buffer with the next bytes of the file. Returns fewer only at its end. Throws kernels::Error.
    size_t read(std::span<std::byte> buffer);

private:
    std::filesystem::path path;
    FileDescriptor file;
    uint64_t bytes = 0;
};

// Reads a whole regular file. Throws kernels::Error like InputFile does, and also if the file is larger than `limit`.
std::string read_whole(const std::filesystem::path& path, uint64_t limit);

// Does the same, but returns an empty text if the file is missing or cannot be read.
std::string content_of(const std::filesystem::path& path, uint64_t limit);

inline constexpr uint64_t largest_source = uint64_t{4} << 20; // in bytes

// Replaces a file with these bytes: writes them to a new file in the same folder, flushes it to the disk, and renames it.
// So a reader finds either the old file or the new one, also after a power cut. Keeps symbolic links and permissions.
// Throws kernels::Error with a sentence. The old file is then unchanged, and no other file remains. The folder must
// exist.
void write_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes);
inline void write_atomically(const std::filesystem::path& path, std::string_view text)
{
    write_atomically(path, std::as_bytes(std::span(text)));
}

std::string utc_now(); // ISO 8601: "2026-11-21T09:00:00Z"

} // namespace recording
