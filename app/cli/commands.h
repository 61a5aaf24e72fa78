// The commands: one file each, which declares its options and runs. Each adds itself to the command line, and sets the exit status
// when it runs. All throw kernels::Error. A new one is a file, its name here and in the list of command_line.cpp.
#pragma once

namespace CLI { // NOLINT(readability-identifier-naming): the library's
class App;
}

namespace app {

using AddCommand = void(CLI::App& program, int& status);

AddCommand add_stages_command, add_verify_command, add_bench_command, add_tune_command, add_counters_command,
    add_code_command, add_model_command, add_record_command, add_info_command, add_diff_command, add_trace_command,
    add_launch_command, add_quiz_command, add_lessons_command, add_sources_command, add_warps_command,
    add_screenshot_command, add_export_command, add_report_command, add_open_command, add_new_command,
    add_worker_command;

// Prints what this was built with, what it finds, and what was loaded from where.
int show_version();

} // namespace app
