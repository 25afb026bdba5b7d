// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace mid {
std::string name(); // <string> is somebody else's
}
