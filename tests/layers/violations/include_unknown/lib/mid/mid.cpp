// SPDX-License-Identifier: GPL-3.0-or-later
#include <alidade/mid/mid.hpp>
#if __has_include(<curl/curl.h>)
#include <curl/curl.h>
#endif

namespace mid {
std::string name() { return "mid"; }
} // namespace mid
