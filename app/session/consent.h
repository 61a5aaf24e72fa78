// A session's answers to one question: may the host code of this file run? Used from the window's thread and from the lanes'.
#pragma once

#include "app/tasks/host_code.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace app {

// What the window asks, of a file that it shows.
struct HostCodeQuestion {
    std::filesystem::path file;
    std::shared_ptr<const std::string> text;
    uint32_t line = 1;       // where its host part begins
    bool unpacked = false;   // it came in a saved state
    bool unanswered = false; // else only its kernel was wished for, which can be thought over
};

class Consent {
public:
    // `own`: the folder of a person's own files, which only they and the program's editor write: what lies there runs without
    // a question. `allowed`: see allowed_host_code.h.
    Consent(std::filesystem::path own, std::filesystem::path allowed)
        : own_(std::move(own)), allowed_(std::move(allowed))
    {
    }

    bool may_run(const std::filesystem::path& file, const std::string& text) const;

    // From now on, also at other starts. Returns why it can be remembered for this session only, as a sentence; else empty.
    std::string allow(const std::string& text);
    // The question is answered for now: only the kernel of this text runs. It can be allowed later.
    void only_kernel(const std::string& text);

    // None where the text is no stage's, may run, or was not read yet.
    std::optional<HostCodeQuestion> question(const std::filesystem::path& file,
                                             const std::shared_ptr<const std::string>& text) const;

private:
    std::filesystem::path own_, allowed_;
    mutable std::mutex mutex_;
    std::set<std::string> allowed_here_, only_kernel_; // content hashes
};

// Where what stands outside the kernels begins: from there on it is worth reading first.
uint32_t line_of_host_part(const std::string& text);

} // namespace app
