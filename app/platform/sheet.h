// A sheet of questions to print and hand out. It is one HTML file. Pictures and answers are optional.
#pragma once

#include "app/learn/quiz.h"

#include <filesystem>
#include <string>
#include <vector>

namespace app {

struct SheetOptions {
    std::string title;     // for example "Questions about banks, padding"
    std::string command;   // command line that makes the same questions again
    bool answers = false;  // mark the right choices and explain them
    bool pictures = false; // show the pictures of the window
};

// Returns the page. `pictures` holds an SVG for each question, with an empty text for a question without a picture; it
// may also be empty. `fonts` holds style sheet rules for the pictures.
std::string sheet_page(const std::vector<QuizQuestion>& quiz, const SheetOptions& options,
                       const std::vector<std::string>& pictures = {}, const std::string& fonts = {});

// Writes the page with its pictures. Without the answers, it omits a picture that would reveal the answer of its
// question. Throws kernels::Error.
void write_sheet(const std::vector<QuizQuestion>& quiz, const SheetOptions& options,
                 const std::filesystem::path& output);

} // namespace app
