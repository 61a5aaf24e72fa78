// Options that several commands take.
#pragma once

#include "app/worker/make_worker.h"

#include "recording/recording.h"

#include <CLI/CLI.hpp>

#include <string>

namespace app {

// A check for an option that is a number: a range lets what is no number pass, and what is too large for one becomes infinite.
std::string finite(const std::string& text);

void add_gpu(CLI::App& command, std::string& gpu);
void add_limits(CLI::App& command, WorkerChoice& worker); // of a task: its time, and which process
void add_worker(CLI::App& command, WorkerChoice& worker); // those, and what runs the kernels
void add_inputs(CLI::App& command,
                recording::Inputs& inputs); // what A, B and C are filled with; what is timed always gets random numbers

} // namespace app
