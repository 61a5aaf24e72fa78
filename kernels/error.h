// Errors meant for the user: what() is a sentence that says what went wrong and what to do.
#pragma once

#include <stdexcept>
#include <string>

namespace kernels {

class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Something that this machine lacks (driver, GPU, toolkit); the program continues without it.
class Unavailable : public Error {
public:
    using Error::Error;
};

// The user asked for the work to stop.
class Cancelled : public Error {
public:
    Cancelled() : Error("Cancelled.") {}
};

} // namespace kernels
