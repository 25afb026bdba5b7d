// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace mid {
std::string name();
}
