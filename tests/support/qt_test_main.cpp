// SPDX-License-Identifier: GPL-3.0-or-later
// The main of every Qt test: offscreen unless told otherwise, in a private home, with every Qt warning a failure.
#include "qt_warnings.hpp"

#include <QByteArray>
#include <QTemporaryDir>
#if defined(QT_WIDGETS_LIB)
#include <QApplication>
using Application = QApplication;
#elif defined(QT_GUI_LIB)
#include <QGuiApplication>
using Application = QGuiApplication;
#else
#include <QCoreApplication>
using Application = QCoreApplication;
#endif

#include <gmock/gmock.h>

#include <cstring>

namespace {

bool onlyLists(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--gtest_list_tests") == 0) {
            return true;
        }
    }
    return false;
}

} // namespace

int main(int argc, char** argv) {
    const bool listing = onlyLists(argc, argv);
    ::testing::InitGoogleMock(&argc, argv);
    if (listing) {
        return RUN_ALL_TESTS();
    }
    const QTemporaryDir home;
    if (!home.isValid()) {
        return 2;
    }
    for (const char* name :
         {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"}) {
        qputenv(name, home.path().toUtf8());
    }
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    alidade::test::failOnQtWarnings();
    Application application(argc, argv);
    return RUN_ALL_TESTS();
}
