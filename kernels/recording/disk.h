// Files as the operating system has them: reading front to back, replacing as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

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

// Makes path a file of these bytes, on disk when this returns, or throws kernels::Error and leaves what was there.
void replace_file(const std::filesystem::path& path, std::span<const std::byte> bytes);

} // namespace recording
