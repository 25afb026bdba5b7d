// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: any Qt warning fails the running test, unless the test said that it expects it.
// What it must not know: any layer of the product.
// Thread: any.
#pragma once

#include <string>

namespace alidade::test {

/// Installs the message handler; called once by the shared main.
void failOnQtWarnings();

/// While alive, warnings that contain `fragment` are expected. The destructor fails the test if none came.
class ExpectQtWarning {
public:
    explicit ExpectQtWarning(std::string fragment);
    ~ExpectQtWarning();
    ExpectQtWarning(const ExpectQtWarning&) = delete;
    ExpectQtWarning& operator=(const ExpectQtWarning&) = delete;

private:
    std::string fragment_;
};

} // namespace alidade::test
