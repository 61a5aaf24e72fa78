// Files as the operating system has them: reading front to back, replacing as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace recording {

// Owns a file descriptor; -1 is none.
class FileDescriptor {
public:
    explicit FileDescriptor(int descriptor = -1) : number(descriptor) {}
    FileDescriptor(FileDescriptor&& other) noexcept;
    FileDescriptor& operator=(FileDescriptor&& other) noexcept;
    ~FileDescriptor();
    int get() const { return number; }
    bool close(); // false: errno says why what was written may not have arrived

private:
    int number;
};

class InputFile {
public:
    // Throws kernels::Error in a sentence: missing, not readable, not a regular file.
    explicit InputFile(const std::filesystem::path& name);

    uint64_t size() const { return bytes; } // when it was opened

    // Fills the buffer from where the last read ended; fewer bytes only at the end of the file. Throws kernels::Error.
    size_t read(std::span<std::byte> buffer);

private:
    std::filesystem::path path;
    FileDescriptor file;
    uint64_t bytes = 0;
};

// The whole of a regular file, read as bytes. Throws kernels::Error: as InputFile does, or because it is larger than limit.
std::string read_whole(const std::filesystem::path& path, uint64_t limit);

// The same of a file that may be missing, or cannot be read: then nothing.
std::string content_of(const std::filesystem::path& path, uint64_t limit);

inline constexpr uint64_t largest_source = uint64_t{4} << 20; // of a source file, in bytes

// Makes path a file of these bytes: written whole beside it, flushed to the disk, then renamed, so that a reader (and a
// power cut) finds the old file or the new one. A link keeps pointing where it does, and permissions stay. Throws
// kernels::Error in a sentence, and then the old file is as it was and nothing else is left. The folder must be there.
void write_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes);
inline void write_atomically(const std::filesystem::path& path, std::string_view text)
{
    write_atomically(path, std::as_bytes(std::span(text)));
}

} // namespace recording
