// A sheet of questions to print and hand out: one HTML file, with pictures or without, with the answers or without.
#pragma once

#include "app/learn/quiz.h"

#include <filesystem>
#include <string>
#include <vector>

namespace app {

struct SheetOptions {
    std::string title;     // for example "Questions about banks, padding"
    std::string command;   // makes the same questions again
    bool answers = false;  // mark the right choices and say why
    bool pictures = false; // with the pictures that the window shows
};

// Returns the page. `pictures` has an SVG per question, empty where there is none, or is empty. `fonts` are style sheet
// rules for them.
std::string sheet_page(const std::vector<QuizQuestion>& quiz, const SheetOptions& options,
                       const std::vector<std::string>& pictures = {}, const std::string& fonts = {});

// Writes the page with its pictures. Without the answers a question has a picture only if that does not tell its
// answer. Throws kernels::Error.
void write_sheet(const std::vector<QuizQuestion>& quiz, const SheetOptions& options,
                 const std::filesystem::path& output);

} // namespace app
