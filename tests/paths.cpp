#include "tests/paths.h"

#include <fstream>
#include <iterator>

namespace test {

std::filesystem::path source_tree()
{
    return SOURCE_TREE;
}

std::filesystem::path data(const std::string& name)
{
    return source_tree() / "tests/data" / name;
}

std::filesystem::path shipped(const std::string& name)
{
    const std::filesystem::path folder = source_tree() / "assets/recordings";
    return name.empty() ? folder : folder / name;
}

std::string text_of(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::string scripted_worker()
{
    return SCRIPTED_WORKER;
}

const char* played_sanitizer()
{
    return PLAYED_SANITIZER;
}

const char* fake_blas()
{
    return FAKE_BLAS;
}

} // namespace test
