// Many short texts that differ in their numbers, as few bytes: each is a form, which has places for numbers, and the numbers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace app {

class PackedWords {
public:
    explicit PackedWords(const std::vector<std::string>& texts);

    // Texts are ordered anew, by their forms: where one of them is now.
    std::size_t place(std::size_t text) const { return places_[text]; }

    // All numbers as ByteWriter writes them: how many forms; of each: how many parts, which are words between numbers; of each part: bytes,
    // words; of each number: how many digits it has behind its point; then how many texts have this form, and of each number, text by text:
    // 0 where each is the difference to the one before, 1 where not, and the numbers without their points.
    const std::string& bytes() const { return bytes_; }

private:
    std::vector<std::size_t> places_;
    std::string bytes_;
};

} // namespace app
