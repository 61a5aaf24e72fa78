// The user's answers by concept and the lessons they read, stored on this machine only.
#pragma once

#include "base/fields.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace app {

struct Answered {
    uint32_t asked = 0, right = 0, in_a_row = 0; // in_a_row: right answers since the last wrong one
    friend bool operator==(const Answered&, const Answered&) = default;
};
void fields(auto& visit, kernels::Like<Answered> auto& answered)
{
    visit("asked", answered.asked);
    visit("right", answered.right);
    visit("in_a_row", answered.in_a_row);
}

enum class Mastery : uint8_t { untouched, begun, known }; // known: the last two answers were right

class LearningProgress {
public:
    void add(const std::string& topic, bool right);
    Mastery of(const std::string& topic) const;
    const std::map<std::string, Answered>& all() const { return answered_; }

    // Marks a lesson as read to its end. Returns whether that is new.
    bool read(const std::string& lesson) { return read_.insert(lesson).second; }
    bool has_read(const std::string& lesson) const { return read_.contains(lesson); }

    // Loads the progress. A missing or damaged file counts as empty.
    static LearningProgress load(const std::filesystem::path& file);
    // Saves the progress. Returns a sentence that says why it failed. Returns an empty string on success and for an
    // empty path.
    std::string save(const std::filesystem::path& file) const noexcept;
    static std::filesystem::path usual_path(); // progress.json in config_folder(); empty if there is no such folder

private:
    friend void fields(auto& visit, kernels::Like<LearningProgress> auto& progress)
    {
        visit("concepts", progress.answered_);
        visit("read", progress.read_, kernels::may_be_missing);
    }

    std::map<std::string, Answered> answered_;
    std::set<std::string> read_;
};

} // namespace app
