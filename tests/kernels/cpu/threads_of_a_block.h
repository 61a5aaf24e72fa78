// Runs functions as the CUDA threads of a block on the CPU backend.
#pragma once

#include "cpu_kernel.h"
#include "device/cuda_on_cpu.h"
#include "error.h"
#include "tests/says.h"

#include <cstring>
#include <functional>
#include <string>

// Runs the function as each thread of one block.
inline void run(const std::function<void(uint32_t thread)>& body, uint32_t threads = 32)
{
    struct Arguments {
        const std::function<void(uint32_t)>* body;
    };
    const Arguments arguments{&body};
    const cpu::ThreadBody thread_body = [](const std::byte* bytes) {
        Arguments own{};
        std::memcpy(&own, bytes, sizeof own);
        (*own.body)(threadIdx.x);
    };
    cpu::launch({.plain = thread_body}, {.grid = {1}, .block = {threads}}, std::as_bytes(std::span(&arguments, 1)),
                nullptr, {});
}

// Returns the message of the exception that running the function throws, or "".
inline std::string error_of(const std::function<void(uint32_t thread)>& body, uint32_t threads = 32)
{
    return test::refusal([&] { run(body, threads); });
}
