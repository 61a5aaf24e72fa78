// What a person has answered, by concept, and which lessons they have read, on this machine only.
#pragma once

#include "base/fields.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace app {

struct Answered {
    uint32_t asked = 0, right = 0, in_a_row = 0; // in_a_row: right ones since the last wrong one
    friend bool operator==(const Answered&, const Answered&) = default;
};
void fields(auto& visit, kernels::Like<Answered> auto& answered)
{
    visit("asked", answered.asked);
    visit("right", answered.right);
    visit("in_a_row", answered.in_a_row);
}

enum class Mastery : uint8_t { untouched, begun, known }; // known: the last two answers were right

class Learned {
public:
    void add(const std::string& topic, bool right);
    Mastery of(const std::string& topic) const;
    const std::map<std::string, Answered>& all() const { return answered_; }

    bool read(const std::string& lesson) { return read_.insert(lesson).second; } // to its end; whether that is new
    bool has_read(const std::string& lesson) const { return read_.contains(lesson); }

    // A missing or broken file is as good as none.
    static Learned load(const std::filesystem::path& file);
    // Gives a sentence that says why it could not be kept; empty: it was, or there is nowhere to.
    std::string save(const std::filesystem::path& file) const noexcept;
    static std::filesystem::path usual_path(); // progress.json in config_folder(); empty when there is none

private:
    friend void fields(auto& visit, kernels::Like<Learned> auto& progress)
    {
        visit("concepts", progress.answered_);
        visit("read", progress.read_, kernels::may_be_missing);
    }

    std::map<std::string, Answered> answered_;
    std::set<std::string> read_;
};

} // namespace app
