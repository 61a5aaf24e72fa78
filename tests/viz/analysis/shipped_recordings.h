// The recordings that are shipped beside the program, for the tests of viz/analysis.
#pragma once

#include "recording/file.h"
#include "recording/recording.h"
#include "tests/paths.h"

#include <filesystem>

// Calls the function with each file and its recording.
template <class Function>
void for_each_shipped(const Function& function)
{
    for (const auto& entry : std::filesystem::recursive_directory_iterator(test::shipped()))
        if (entry.path().extension() == ".gscope")
            function(entry.path(), recording::read(entry.path()));
}
