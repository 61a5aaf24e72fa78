// The form for exporting or saving what is shown to a file, and the progress of an export.
#pragma once

#include "app/panels/state.h"
#include "app/pictures/picture.h"

#include <filesystem>
#include <optional>
#include <string>

namespace app {

class ExportDialog {
public:
    void ask() { asked_ = true, saves_ = false; } // opens the form in the next frame
    void ask_where(std::string file);             // opens only the form's field, filled in with this file to save
    void offer_downloads() { downloads_ = true; } // a file has a name only, and no folder of this machine
    bool downloads() const { return downloads_; }
    // `shown` is the area of the view. The picture gets its size.
    void draw(const Snapshot& snapshot, State& state, const Area& shown);

    // Returns the requested export once. The caller performs it and reports the progress.
    std::optional<ExportRequest> take();
    std::optional<std::string> take_file_to_save(); // returns the file that was entered after ask_where(), once
    void show_progress(std::optional<double> share) { share_ = share; } // empty: no export is running
    bool gives_up() const { return gives_up_; }                         // the user cancels the running export
    bool writes() const { return share_.has_value(); }

private:
    void fill_form(const Snapshot& snapshot, const State& state);
    void draw_form(const State& state, const Area& shown);
    void draw_formats(const State& state);
    void draw_looks(const State& state);
    void draw_steps(const State& state);
    void draw_progress(const State& state);
    void choose(PictureFormat format);
    std::string in_last_folder(std::string file) const;
    bool may_write(); // otherwise there is a problem to show
    ExportRequest request(const State& state, const Area& shown) const;

    bool asked_ = false, gives_up_ = false, downloads_ = false, saves_ = false;
    bool takes_focus_ = false; // the field of the file gets the keyboard focus in the next frame
    std::optional<double> share_;
    std::optional<ExportRequest> wanted_;
    std::optional<std::string> saved_;
    std::string problem_;  // of the file that was entered
    std::string replaces_; // the existing file that may be replaced, because it was entered before

    // Form content, kept for the next use.
    std::filesystem::path folder_; // of the last file that was written; empty: none yet
    PictureFormat format_ = PictureFormat::png;
    bool chose_format_ = false;
    int scale_ = 2;
    bool light_ = true, transparent_ = false, plays_ = true;
    int from_ = 0, to_ = 0;
    std::string file_;
};

} // namespace app
