// Where the tests find files and programs. Their places are known to one source alone, so that the objects of all others are
// the same in every checkout.
#pragma once

#include <filesystem>
#include <string>

namespace test {

std::filesystem::path source_tree();                 // of the checkout that is tested
std::filesystem::path data(const std::string& name); // of tests/data
// Of assets/recordings, or the folder itself.
std::filesystem::path shipped(const std::string& name = "");
std::string text_of(const std::filesystem::path& file); // all of it; "" where there is none
std::string scripted_worker();                          // its program, see worker/scripted_worker.cpp
const char* fake_blas();                                // the library, see kernels/measure/fake_blas

} // namespace test
