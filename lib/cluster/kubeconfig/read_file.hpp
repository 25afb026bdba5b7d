// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: a whole small file, or a plain reason why not.
// What it must not know: what the file is for.
// Thread: any; blocks for the disk. A device, pipe or folder is refused, not waited for.
#pragma once

#include "alidade/guard/result.hpp"

#include <cstddef>
#include <string>

namespace alidade::cluster {

/// NotFound, TooLarge or Io; the detail does not repeat the path.
[[nodiscard]] guard::Result<std::string> readFile(const std::string& path, std::size_t maxBytes);

} // namespace alidade::cluster
