// Compiles and runs a program with its own host code without a GPU. Keeps its output, its messages and its recording.
#pragma once

#include "app/engine/program.h"

#include "temporary_folder.h"
#include "traced/user_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace test {

struct Ran {
    app::HostProgramResult result;
    std::string printed;
    std::vector<std::string> said;

    const recording::Recording& recording() const { return *result.recorded->recording; }
    const recording::Array* array(const std::string& name) const
    {
        const auto& arrays = recording().arrays;
        const auto found = std::ranges::find(arrays, name, &recording::Array::name);
        return found == arrays.end() ? nullptr : &*found;
    }
};

class HostProgramRun : public testing::Test {
protected:
    void SetUp() override
    {
        if (!traced::can_build_host_programs())
            GTEST_SKIP() << "nvcc is not installed";
    }

    Ran run(const std::string& text, app::HostProgramTask task = {}) const
    {
        const std::filesystem::path file = folder_ / "program.cu";
        std::ofstream(file) << "#include <cstdio>\n" << text;
        task.command.insert(task.command.begin(), file.string());
        return run_command(task);
    }

    static Ran run_command(const app::HostProgramTask& task)
    {
        Ran ran;
        testing::internal::CaptureStdout(); // also the output of the program, which inherits it
        try {
            ran.result =
                app::run_host_program(task, [&](const std::string& sentence) { ran.said.push_back(sentence); }, {});
        } catch (...) {
            ran.printed = testing::internal::GetCapturedStdout();
            throw;
        }
        ran.printed = testing::internal::GetCapturedStdout();
        return ran;
    }

    static app::HostProgramTask kernel(const std::string& name, uint64_t launch = 1)
    {
        app::HostProgramTask task;
        task.request.kernel = name;
        task.launch = launch;
        return task;
    }

    kernels::TemporaryFolder folder_;
};

} // namespace test
