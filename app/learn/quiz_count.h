// The limits on the number of questions in a quiz, for files, commands and saved states.
#pragma once

#include "error.h"

#include <fmt/format.h>

#include <cstddef>

namespace app {

inline constexpr std::size_t most_questions = 500;

inline std::size_t checked_question_count(std::size_t count)
{
    if (count < 1 || count > most_questions)
        throw kernels::Error(fmt::format("A quiz has 1 to {} questions, not {}.", most_questions, count));
    return count;
}

} // namespace app
