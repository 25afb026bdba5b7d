// SPDX-License-Identifier: GPL-3.0-or-later
#include "qt_warnings.hpp"

#include <QByteArray>
#include <QString>
#include <QtGlobal>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>

namespace alidade::test {
namespace {

std::mutex g_mutex;
std::map<std::string, int> g_expected; // fragment -> times seen, while expected

bool isExpected(const std::string& text) {
    // The offscreen platform says this for every top-level window.
    if (text.find("propagateSizeHints") != std::string::npos) {
        return true;
    }
    const std::lock_guard lock(g_mutex);
    bool found = false;
    for (auto& [fragment, seen] : g_expected) {
        if (text.find(fragment) != std::string::npos) {
            ++seen;
            found = true;
        }
    }
    return found;
}

void onMessage(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    const std::string text = message.toStdString();
    if (type == QtDebugMsg || type == QtInfoMsg) {
        std::fprintf(stderr, "%s\n", text.c_str());
        return;
    }
    if (type == QtFatalMsg) {
        std::fprintf(stderr, "Qt fatal: %s\n", text.c_str());
        std::abort();
    }
    if (!isExpected(text)) {
        ADD_FAILURE() << "unexpected Qt warning [" << (context.category != nullptr ? context.category : "") << "] "
                      << text;
    }
}

} // namespace

void failOnQtWarnings() {
    qInstallMessageHandler(onMessage);
}

ExpectQtWarning::ExpectQtWarning(std::string fragment) : fragment_(std::move(fragment)) {
    const std::lock_guard lock(g_mutex);
    g_expected[fragment_] = 0;
}

ExpectQtWarning::~ExpectQtWarning() {
    int seen = 0;
    {
        const std::lock_guard lock(g_mutex);
        seen = g_expected[fragment_];
        g_expected.erase(fragment_);
    }
    EXPECT_GT(seen, 0) << "expected a Qt warning containing \"" << fragment_ << "\", and none came";
}

} // namespace alidade::test
