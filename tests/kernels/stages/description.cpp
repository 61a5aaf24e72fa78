// A description that compiles. With MISSPELT or LEFT_OUT defined it must not compile. CMakeLists.txt tries all three.
#include "describe.h"

namespace described {

struct Parameters {
    int block = 32;
};

template <Parameters P, class Probe>
void described(Gemm, Probe)
{
}

inline constexpr Parameters variants[] = {{}};

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "described",
        .idea = "for tests",
        .builds_on = "",
        .parameters = {{"block", &Parameters::block, "threads"}},
        .variants = variants,
        .refusal = [](Parameters) { return std::string(); },
#ifndef LEFT_OUT
        .launch = [](Parameters p, const Problem&) -> Launch { return {.grid = {1}, .block = {p.block}}; },
#endif
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &described<P, Probe>; }),
#ifdef MISSPELT
        .dynamic_sharde = [](Parameters p) { return 4 * p.block; },
#endif
        .dynamic_shared = [](Parameters p) { return 4 * p.block; },
    };
}

} // namespace described

kernels::Stage make();
kernels::Stage make()
{
    return kernels::make_stage(described::info(), "test");
}
