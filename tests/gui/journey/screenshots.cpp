// SPDX-License-Identifier: GPL-3.0-or-later
// take_screenshots FOLDER [light|dark]: the window in five states on the embedded cluster, for the README and for
// people to look at: healthy, trouble, running triage, approval dialog, resolved.
#include <cstdio>
#include <cstring>

#include <QApplication>
#include <QDir>
#include <QPainter>
#include <QPointer>
#include <QTranslator>

#include "alidade/ui/appearance.hpp"
#include "approval/approval_dialog.hpp"
#include "driver.hpp"
#include "table/table_pane.hpp"

namespace {

using alidade::test::Driver;
using alidade::test::waitFor;
using namespace alidade;

bool keep(const QPixmap& picture, const QString& folder, const QString& name) {
    const QString file = QDir(folder).filePath(name + QStringLiteral(".png"));
    std::printf("%s %dx%d\n", file.toUtf8().constData(), picture.width(), picture.height());
    std::fflush(stdout);
    return picture.toImage().convertToFormat(QImage::Format_RGB888).save(file, "PNG", 0); // as small as it gets
}

/// The dialog over its window, as a window manager would place it.
QPixmap together(QWidget& window, QWidget& dialog) {
    QPixmap picture = window.grab();
    const QPixmap top = dialog.grab();
    QPainter painter(&picture);
    painter.fillRect(picture.rect(), QColor(0, 0, 0, 70));
    const QPoint at((picture.width() - top.width()) / 2, (picture.height() - top.height()) / 2);
    painter.fillRect(QRect(at, top.size()).adjusted(-1, -1, 1, 1), QColor(0, 0, 0, 90));
    painter.drawPixmap(at, top);
    return picture;
}

int fail(const char* what) {
    std::fprintf(stderr, "screenshots: %s\n", what);
    return 1;
}

int takeAll(const QString& folder, const QString& theme) {
    const QString end = QStringLiteral("-") + theme;
    {
        Driver healthy("healthy");
        healthy.window().showKind(QStringLiteral("deployments"));
        const auto* pane = healthy.window().findChild<ui::TablePane*>();
        if (!waitFor([&] { return pane->rows()->rowCount() > 3; }, 30'000)) {
            return fail("no deployments");
        }
        waitFor([] { return false; }, 1500);
        keep(healthy.window().grab(), folder, QStringLiteral("1-healthy") + end);
    }
    Driver driver("checkout-bad-image");
    if (!waitFor([&] { return driver.showsTroubleOf(QStringLiteral("checkout")); }, 60'000)) {
        return fail("no trouble");
    }
    waitFor([] { return false; }, 1500);
    auto* table = driver.window().findChild<ui::TablePane*>();
    for (int row = 0; row < table->rows()->rowCount(); ++row) {
        const auto ref = table->rows()->refAt(row);
        if (ref.key.kind == guard::kinds::pods() && ref.key.name.starts_with("checkout")) {
            table->view()->selectRow(row);
            break;
        }
    }
    waitFor([] { return false; }, 800);
    keep(driver.window().grab(), folder, QStringLiteral("2-trouble") + end);
    if (!driver.startTriage() || !waitFor([&] { return driver.reached(guard::Step::QualityGate); }, 60'000)) {
        return fail("the triage did not get to its quality gate");
    }
    waitFor([] { return false; }, 150);
    keep(driver.window().grab(), folder, QStringLiteral("3-triage") + end);
    QPointer<ui::ApprovalDialog> dialog;
    if (!waitFor([&] { return (dialog = driver.openDialog()) != nullptr; }, 60'000)) {
        return fail("nothing to approve");
    }
    waitFor([&] { return dialog->armingProgress() > 0.6; }, 5'000);
    keep(together(driver.window(), *dialog), folder, QStringLiteral("4-approval") + end);
    if (!Driver::approve(*dialog) || !waitFor([&] { return driver.state()->outcome.has_value(); }, 180'000)) {
        return fail("no outcome");
    }
    if (dialog) { // it may have gone by itself
        dialog->close();
    }
    driver.window().showKind(QStringLiteral("deployments"));
    const auto rows = [&] { return driver.window().findChild<ui::TablePane*>()->rows(); };
    waitFor([&] { return rows()->rowCount() > 3; });
    for (int row = 0; row < rows()->rowCount(); ++row) {
        if (rows()->refAt(row).key.name == "checkout") {
            table->view()->selectRow(row);
        }
    }
    waitFor([] { return false; }, 2500);
    keep(driver.window().grab(), folder, QStringLiteral("5-resolved") + end);
    return *driver.state()->outcome == guard::RunOutcome::Resolved ? 0 : fail("not resolved");
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        return fail("which folder?");
    }
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    QApplication application(argc, argv);
    QTranslator plurals;
    if (plurals.load(QStringLiteral(":/i18n/alidade_en.qm"))) {
        QCoreApplication::installTranslator(&plurals);
    }
    const QString folder = QString::fromLocal8Bit(argv[1]);
    QDir().mkpath(folder);
    int result = 0;
    for (const char* theme : {"light", "dark"}) {
        if (argc < 3 || std::strcmp(argv[2], theme) == 0) {
            ui::applyAppearance(application,
                                std::strcmp(theme, "dark") == 0 ? ui::ThemeChoice::Dark : ui::ThemeChoice::Light);
            result |= takeAll(folder, QString::fromLatin1(theme));
        }
    }
    return result;
}
