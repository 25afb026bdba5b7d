// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#if __has_include(<zlib.h>)
#include <zlib.h>
#endif

namespace mid {
std::string name();
}
