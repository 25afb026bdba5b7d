// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: a folder of a test's own, with files in it.
// What it must not know: the product.
// Thread: any.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace alidade::test {

class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "alidade-XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string write(const std::string& name, const std::string& text, bool program = false) const {
        const std::filesystem::path file = path_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
        if (program) {
            std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        }
        return file.string();
    }
    [[nodiscard]] std::string path(const std::string& name = {}) const {
        return name.empty() ? path_.string() : (path_ / name).string();
    }

private:
    std::filesystem::path path_;
};

} // namespace alidade::test
