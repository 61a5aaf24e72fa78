// A stage with the kernel of tests/gpu/misbehaving.cu, whose actions harm a GPU.
#pragma once

#include "stage.h"
#include "tests/paths.h"

#include <cstring>
#include <string>

namespace test {

enum class Misdeed { none, reads_null, writes_beyond, never_ends, overflows_stack, traps, too_much_shared };

inline kernels::Stage misbehaving_stage()
{
    static const std::string file = source_tree() / "tests/gpu/misbehaving.cu";
    kernels::Stage stage;
    stage.slug = "misbehaving";
    stage.idea = "what no kernel should do";
    stage.file = stage.body_file = file; // the file that NVRTC compiles
    stage.kernel = "misbehaving";
    stage.parameters = {{"WHAT", 0, {0, 1, 2, 3, 4, 5, 6}, "what it does"}};
    stage.refusal = [](const kernels::ParameterValues&) { return std::string(); };
    stage.launch = [](const kernels::ParameterValues&, const recording::Problem& problem) {
        return recording::Launch{.grid = {(problem.N + 15) / 16, (problem.M + 15) / 16, 1}, .block = {16, 16, 1}};
    };
    stage.dynamic_shared = [](const kernels::ParameterValues& values) {
        return values[0] == static_cast<int>(Misdeed::too_much_shared) ? 300u << 10 : 0u;
    };
    stage.arguments = [](const kernels::ParameterValues&, const recording::Problem& problem,
                         const kernels::Pointers& pointers) {
        struct {
            const void *A, *B;
            float* C;
            uint32_t M, N, K;
            float alpha, beta;
            uint32_t padding = 0;
        } arguments{pointers.A, pointers.B, pointers.C, problem.M, problem.N, problem.K, problem.alpha, problem.beta};
        std::vector<std::byte> bytes(sizeof arguments);
        std::memcpy(bytes.data(), &arguments, sizeof arguments);
        return bytes;
    };
    stage.cpu_kernel = [](const kernels::ParameterValues&) { return nullptr; };
    stage.cpu_variants = {{0}};
    return stage;
}

} // namespace test
