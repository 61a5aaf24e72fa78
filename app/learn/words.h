// The small language of places and quizzes in one line: NAME, NAME=VALUE or NAME="VALUE WITH BLANKS", with blanks between.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace app {

struct Word {
    std::string name, value;
};

// Within quotation marks \" is one of them. Throws kernels::Error for one that is not closed.
std::vector<Word> words_of(std::string_view text);
std::string quoted(std::string_view name, std::string_view value); // NAME="VALUE", which words_of() reads back

uint32_t number_of(const Word& word,
                   std::string_view text); // a part of its value; throws kernels::Error that names the word
uint32_t number_of(const Word& word);
std::string for_shell(std::string_view text);        // as one word of a command
std::vector<std::string> parts_of(const Word& word); // "a,b"; none of an empty value

} // namespace app
