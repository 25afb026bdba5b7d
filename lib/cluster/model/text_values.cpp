// SPDX-License-Identifier: GPL-3.0-or-later
// Ages, natural order and quantities: the values behind kubectl's words.
#include "alidade/cluster_model/rows.hpp"

#include <charconv>
#include <chrono>
#include <cmath>

namespace alidade::cluster {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;

/// apimachinery duration.HumanDuration.
std::string humanDuration(std::int64_t ns) {
    const auto seconds = ns / kSecondNs; // Go truncates towards zero
    if (seconds < -1) {
        return "<invalid>";
    }
    if (seconds < 0) {
        return "0s";
    }
    const auto part = [](std::int64_t value, const char* unit) { return std::to_string(value) + unit; };
    const auto pair = [&](std::int64_t big, const char* bigUnit, std::int64_t small, const char* smallUnit) {
        return small == 0 ? part(big, bigUnit) : part(big, bigUnit) + part(small, smallUnit);
    };
    if (seconds < 60 * 2) {
        return part(seconds, "s");
    }
    const auto minutes = seconds / 60;
    if (minutes < 10) {
        return pair(minutes, "m", seconds % 60, "s");
    }
    if (minutes < 60 * 3) {
        return part(minutes, "m");
    }
    const auto hours = minutes / 60;
    if (hours < 8) {
        return pair(hours, "h", minutes % 60, "m");
    }
    if (hours < 48) {
        return part(hours, "h");
    }
    if (hours < 24 * 8) {
        return pair(hours / 24, "d", hours % 24, "h");
    }
    const auto days = hours / 24;
    if (hours < 24 * 365 * 2) {
        return part(days, "d");
    }
    if (hours < 24 * 365 * 8) {
        return pair(days / 365, "y", days % 365, "d");
    }
    return part(days / 365, "y");
}

bool isDigit(char c) noexcept { return c >= '0' && c <= '9'; }

} // namespace

std::string ageText(std::int64_t createdNs, guard::WallTime now) {
    if (createdNs == 0) {
        return "<unknown>";
    }
    return humanDuration(now.time_since_epoch().count() - createdNs);
}

std::string cellText(const Column& column, const Cell& cell, guard::WallTime now) {
    if (column.type == ColumnType::Age) {
        return cell.text.empty() ? ageText(cell.timeNs, now) : std::string(cell.text);
    }
    std::string text(cell.text);
    if (column.type == ColumnType::Count && cell.timeNs != 0) {
        text += " (" + ageText(cell.timeNs, now) + " ago)";
    }
    return text;
}

std::optional<std::int64_t> parseAgeText(std::string_view text) noexcept {
    if (text.empty()) {
        return std::nullopt;
    }
    std::int64_t seconds = 0;
    while (!text.empty()) {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || !isDigit(text.front()) || value > 1'000'000'000) {
            return std::nullopt;
        }
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        if (text.empty()) {
            return std::nullopt;
        }
        switch (text.front()) {
        case 's': break;
        case 'm': value *= 60; break;
        case 'h': value *= 3600; break;
        case 'd': value *= 86'400; break;
        case 'y': value *= 365L * 86'400; break;
        default: return std::nullopt;
        }
        text.remove_prefix(1);
        seconds += value;
        if (seconds > 9'000'000'000) {
            return std::nullopt;
        }
    }
    return seconds * kSecondNs;
}

int naturalCompare(std::string_view a, std::string_view b) noexcept {
    std::size_t i = 0;
    std::size_t j = 0;
    int zeros = 0; // decides only between texts that are otherwise equal
    while (i < a.size() && j < b.size()) {
        if (isDigit(a[i]) && isDigit(b[j])) {
            std::size_t startA = i;
            std::size_t startB = j;
            while (startA < a.size() && a[startA] == '0') ++startA;
            while (startB < b.size() && b[startB] == '0') ++startB;
            std::size_t endA = startA;
            std::size_t endB = startB;
            while (endA < a.size() && isDigit(a[endA])) ++endA;
            while (endB < b.size() && isDigit(b[endB])) ++endB;
            if (endA - startA != endB - startB) {
                return endA - startA < endB - startB ? -1 : 1;
            }
            if (const int order = a.substr(startA, endA - startA).compare(b.substr(startB, endB - startB)); order != 0) {
                return order < 0 ? -1 : 1;
            }
            if (zeros == 0 && startA - i != startB - j) {
                zeros = startA - i < startB - j ? -1 : 1;
            }
            i = endA;
            j = endB;
            continue;
        }
        if (a[i] != b[j]) {
            return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]) ? -1 : 1;
        }
        ++i;
        ++j;
    }
    if (i < a.size()) {
        return 1;
    }
    if (j < b.size()) {
        return -1;
    }
    return zeros;
}

std::optional<double> parseQuantity(std::string_view text) noexcept {
    // <sign><digits>[.<digits>]<suffix>; suffix: Ki..Ei | n u m "" k M G T P E | e<int> E<int>
    std::size_t end = 0;
    bool negative = false;
    if (end < text.size() && (text[end] == '+' || text[end] == '-')) {
        negative = text[end] == '-';
        ++end;
    }
    const std::size_t digitsFrom = end;
    bool digits = false;
    while (end < text.size() && isDigit(text[end])) {
        digits = true;
        ++end;
    }
    if (end < text.size() && text[end] == '.') {
        ++end;
        while (end < text.size() && isDigit(text[end])) {
            digits = true;
            ++end;
        }
    }
    if (!digits) {
        return std::nullopt;
    }
    std::string_view number = text.substr(digitsFrom, end - digitsFrom);
    const std::string_view suffix = text.substr(end);

    int exponent = 0;
    double binary = 1;
    if (suffix.empty()) {
    } else if (suffix.size() == 1 && suffix != "e") {
        switch (suffix.front()) {
        case 'n': exponent = -9; break;
        case 'u': exponent = -6; break;
        case 'm': exponent = -3; break;
        case 'k': exponent = 3; break;
        case 'M': exponent = 6; break;
        case 'G': exponent = 9; break;
        case 'T': exponent = 12; break;
        case 'P': exponent = 15; break;
        case 'E': exponent = 18; break;
        default: return std::nullopt;
        }
    } else if (suffix.size() == 2 && suffix[1] == 'i') {
        constexpr std::string_view units = "KMGTPE";
        const auto at = units.find(suffix.front());
        if (at == std::string_view::npos) {
            return std::nullopt;
        }
        binary = std::ldexp(1.0, static_cast<int>(at + 1) * 10);
    } else if (suffix.front() == 'e' || suffix.front() == 'E') {
        std::string_view digitsText = suffix.substr(1);
        if (!digitsText.empty() && digitsText.front() == '+') {
            digitsText.remove_prefix(1);
            if (digitsText.empty() || !isDigit(digitsText.front())) {
                return std::nullopt;
            }
        }
        const auto [last, error] =
            std::from_chars(digitsText.data(), digitsText.data() + digitsText.size(), exponent);
        if (error != std::errc{} || last != digitsText.data() + digitsText.size() || exponent < -99 || exponent > 99) {
            return std::nullopt;
        }
    } else {
        return std::nullopt;
    }

    // Decimal suffixes go through one conversion, so that 4402341478400m is 4402341478.4 to the last bit.
    char buffer[160];
    if (number.size() > 120) {
        return std::nullopt;
    }
    std::size_t used = number.copy(buffer, number.size());
    buffer[used++] = 'e';
    used = static_cast<std::size_t>(std::to_chars(buffer + used, buffer + sizeof buffer, exponent).ptr - buffer);
    double value = 0;
    const auto [last, error] = std::from_chars(buffer, buffer + used, value);
    if (error != std::errc{} || last != buffer + used || !std::isfinite(value)) {
        return std::nullopt;
    }
    value *= binary;
    return negative ? -value : value;
}

} // namespace alidade::cluster
