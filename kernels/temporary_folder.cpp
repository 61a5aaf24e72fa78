#include "temporary_folder.h"

#include "error.h"

#include <cstdlib>
#include <string>
#include <system_error>

namespace kernels {

TemporaryFolder::TemporaryFolder(const std::filesystem::path& preferred)
{
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path parent = fs::is_directory(preferred, error) ? preferred : fs::temp_directory_path(error);
    std::string name = (parent / "gemmscope-XXXXXX").string();
    if (error || mkdtemp(name.data()) == nullptr)
        throw Error(
            "There is no folder for temporary files: set TMPDIR to one that can be written, on a disk that is not "
            "full.");
    path_ = name;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

} // namespace kernels
