// SPDX-License-Identifier: GPL-3.0-or-later
#include <alidade/mid/mid.hpp>


namespace other {
std::string name(); // declared by hand: no header needed
}
namespace mid {
std::string name() { return other::name(); }
} // namespace mid
