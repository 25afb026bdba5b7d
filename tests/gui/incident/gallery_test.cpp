// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the dock in its states and themes. With ALIDADE_GALLERY set to a folder the pictures are kept there.
#include <cmath>

#include <QApplication>
#include <QDir>
#include <QImage>
#include <QTest>

#include <gtest/gtest.h>

#include "alidade/ui/appearance.hpp"
#include "incident/incident_dock.hpp"
#include "incident/timeline_view.hpp"
#include "made_run.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {
namespace {

using test::MadeRun;

struct Theme {
    ThemeChoice choice;
    const char* name;
};
constexpr Theme themes[] = {
    {ThemeChoice::Light, "light"}, {ThemeChoice::Dark, "dark"}, {ThemeChoice::HighContrast, "contrast"}};

class Gallery : public ::testing::TestWithParam<Theme> {
protected:
    void picture(const char* name, const std::function<void(IncidentDock&)>& fill, QSize size = {400, 860}) {
        setReducedMotion(true);
        applyAppearance(*qApp, GetParam().choice);
        IncidentDock dock;
        dock.resize(size);
        fill(dock);
        dock.show();
        QCoreApplication::sendPostedEvents();
        dock.findChild<TimelineList*>()->doItemsLayout();
        dock.findChild<TimelineList*>()->follow();
        QCoreApplication::sendPostedEvents();
        const QImage image = dock.grab().toImage();
        EXPECT_EQ(image.size(), size * dock.devicePixelRatio());
        QSet<QRgb> colours;
        for (int y = 0; y < image.height(); y += 3) {
            for (int x = 0; x < image.width(); x += 3) {
                colours.insert(image.pixel(x, y));
            }
        }
        EXPECT_GT(colours.size(), 8) << name << " is as good as empty";
        const QString folder = qEnvironmentVariable("ALIDADE_GALLERY");
        if (!folder.isEmpty()) {
            QDir().mkpath(folder);
            EXPECT_TRUE(image.save(QStringLiteral("%1/%2-%3.png")
                                       .arg(folder, QString::fromLatin1(name), QString::fromLatin1(GetParam().name))));
        }
    }
    static void dip(MadeRun& run) {
        for (int i = 0; i < 8; ++i) {
            run.point(1.0, 2);
        }
        for (int i = 0; i < 14; ++i) {
            run.point(i < 3 ? 1.0 - (i + 1) * 0.11 : 0.66, 2 + i / 5);
        }
    }
    static void heal(MadeRun& run) {
        for (int i = 0; i < 16; ++i) {
            run.point(i < 4 ? 0.66 : 1.0, 4);
        }
    }
};

TEST_P(Gallery, Empty) {
    picture("empty", [](IncidentDock&) {});
}
TEST_P(Gallery, Running) {
    MadeRun run;
    dip(run);
    run.gathered();
    picture("running", [&](IncidentDock& dock) { dock.setState(run.snapshot()); });
}
TEST_P(Gallery, Awaiting) {
    MadeRun run;
    dip(run);
    run.proposed();
    const auto fill = [&](IncidentDock& dock) {
        dock.setState(run.snapshot());
        dock.setProposal(test::madeProposal());
    };
    picture("awaiting", fill);
    picture("awaiting-small", fill, {340, 610});
}
TEST_P(Gallery, Resolved) {
    MadeRun run;
    dip(run);
    run.proposed();
    run.executed();
    heal(run);
    run.resolved();
    const auto fill = [&](IncidentDock& dock) { dock.setState(run.snapshot()); };
    picture("resolved", fill);
    picture("resolved-small", fill, {380, 610});
}
TEST_P(Gallery, Blocked) {
    MadeRun run;
    run.blocked();
    picture("blocked", [&](IncidentDock& dock) { dock.setState(run.snapshot()); });
}
TEST_P(Gallery, GateOpened) {
    MadeRun run;
    run.proposed();
    run.event(guard::RunEventKind::Fallback, guard::Step::Approve,
              "The judge could not be asked; the rules decide alone", 900);
    run.event(guard::RunEventKind::Breaker, guard::Step::Approve, "The breaker opened after 3 failed calls", 2,
              "provider failures 3");
    picture("opened",
            [&](IncidentDock& dock) {
                dock.setState(run.snapshot());
                auto* list = dock.findChild<TimelineList*>();
                for (int i = 0; i < list->model()->rowCount(); ++i) {
                    const auto index = list->model()->index(i, 0);
                    if (i == 4 || i == 3) {
                        list->toggle(index);
                    }
                }
            },
            {440, 980});
}

INSTANTIATE_TEST_SUITE_P(Themes, Gallery, ::testing::ValuesIn(themes),
                         [](const auto& each) { return std::string(each.param.name); });

} // namespace
} // namespace alidade::ui
