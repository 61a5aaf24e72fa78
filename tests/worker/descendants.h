// The child processes of a process and all their descendants.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include <sys/types.h>

namespace test {

inline std::vector<pid_t> children_of(pid_t process)
{
    std::vector<pid_t> children;
    std::error_code gone;
    for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task", gone)) {
        std::ifstream list(task.path() / "children");
        for (pid_t child = 0; list >> child;)
            children.push_back(child);
    }
    return children;
}

inline std::vector<pid_t> descendants_of(pid_t process)
{
    std::vector<pid_t> all = children_of(process);
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const pid_t child : children_of(all[i]))
            all.push_back(child);
    return all;
}

// Returns the resident memory of a process in KiB.
inline long resident_of(pid_t process)
{
    std::ifstream statistics("/proc/" + std::to_string(process) + "/statm");
    long all = 0, resident = 0;
    statistics >> all >> resident;
    return resident * 4;
}

} // namespace test
