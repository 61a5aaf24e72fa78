// The paths of files and programs for the tests. Only one source contains absolute paths, so all other objects are
// identical in every checkout.
#pragma once

#include <filesystem>
#include <string>

namespace test {

std::filesystem::path source_tree();                 // of the tested checkout
std::filesystem::path data(const std::string& name); // in tests/data
// Returns a path in assets/recordings, or that folder itself.
std::filesystem::path shipped(const std::string& name = "");
std::string text_of(const std::filesystem::path& file); // the whole text; "" if the file does not exist
std::string scripted_worker();                          // path of the program in worker/scripted_worker.cpp
const char* played_sanitizer();                         // of the library in kernels/injection/played_sanitizer
const char* fake_blas();                                // path of the library in kernels/measure/fake_blas

} // namespace test
