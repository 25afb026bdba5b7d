// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: cluster and model text on its way to the screen, and the keys it sorts and searches by.
// What it must not know: widgets.
// Thread: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <QString>

#include "alidade/guard/clock.hpp"

namespace alidade::models {

/// One line, control and bidi-override characters made visible. For labels, cells, tool tips: always as plain text.
[[nodiscard]] QString shown(std::string_view text);
/// The same, keeping line breaks and tabs.
[[nodiscard]] QString shownLines(std::string_view text);
/// For ToolTipRole, setToolTip() and the like, which guess: what Qt would take for markup comes out as its characters.
[[nodiscard]] QString plainTip(const QString& text);
[[nodiscard]] std::string utf8(const QString& text);

/// ECMA-48 sequences (SGR, cursor, OSC with its payload, DCS) removed; a bare carriage return stays for visibleText().
[[nodiscard]] std::string stripSequences(std::string_view text);
/// A log line as it is shown: sequences removed, controls visible, cut to `maxBytes` with "… 195 KB more".
[[nodiscard]] QString shownLogLine(std::string_view line, std::size_t maxBytes = 8192);

/// Byte order of these keys is natural order without case: "pod-2" before "pod-10".
[[nodiscard]] std::string naturalKey(std::string_view text);
/// Lower case, ASCII only by table and everything else by Unicode; what filters search in.
[[nodiscard]] std::string folded(std::string_view text);

/// "14:02:07" today, "1 May 14:02" otherwise, in local time.
[[nodiscard]] QString clockText(guard::WallTime at);
/// "1 May 2024 14:02:07 CEST": for tool tips.
[[nodiscard]] QString fullTimeText(guard::WallTime at);
/// "840 ms", "1.2 s", "2 min 5 s".
[[nodiscard]] QString durationText(guard::Millis duration);

} // namespace alidade::models
