// SPDX-License-Identifier: GPL-3.0-or-later
// The catalogue is asked under the names it was filled with: a text that is looked up under another class's name stays
// English however complete the catalogue is.
#include <map>
#include <set>
#include <utility>

#include <QApplication>
#include <QFile>
#include <QTranslator>
#include <QXmlStreamReader>

#include <gtest/gtest.h>

#include "details/details_pane.hpp"
#include "incident/incident_dock.hpp"
#include "incident/made_run.hpp"
#include "shop.hpp"
#include "window/action_dialogs.hpp"

namespace alidade::ui {
namespace {

/// Looks up nothing, remembers what was looked up in vain.
class Watcher final : public QTranslator {
public:
    explicit Watcher(const QString& file) {
        QFile catalogue(file);
        EXPECT_TRUE(catalogue.open(QIODevice::ReadOnly));
        QXmlStreamReader xml(&catalogue);
        QString context;
        while (!xml.atEnd()) {
            if (!xml.readNextStartElement()) {
                continue;
            }
            if (xml.name() == u"name") {
                context = xml.readElementText();
            } else if (xml.name() == u"source") {
                contexts_[xml.readElementText()].insert(context);
            }
        }
    }
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char* context, const char* source, const char*, int) const override {
        const auto it = contexts_.find(QString::fromUtf8(source));
        const QString asked = QString::fromUtf8(context);
        const bool ours = asked.startsWith(QStringLiteral("alidade::"));
        if (it != contexts_.end() && it->second.contains(asked)) {
            ++found;
        } else if ((it != contexts_.end() || ours) && asked != u"QDockWidget") { // Qt's own words

            missed.insert(asked.toStdString() + ": " + source);
        }
        return {};
    }
    mutable int found = 0;
    mutable std::set<std::string> missed;

private:
    std::map<QString, std::set<QString>> contexts_;
};

TEST(Translation, EveryTextIsLookedUpWhereTheCatalogueHasIt) {
    Watcher watcher(QStringLiteral(ALIDADE_CATALOGUE));
    QCoreApplication::installTranslator(&watcher);
    {
        test::Shop shop;
        shop.open();
        shop.window->showKind(QStringLiteral("pods"));
        shop.window->showObject({{guard::kinds::pods(), "shop", "checkout-58c4f9d7b-m3t6z"}, "p5"});
        auto* details = shop.window->findChild<DetailsPane*>();
        for (const auto tab : {DetailsPane::Tab::Overview, DetailsPane::Tab::Yaml, DetailsPane::Tab::Events,
                               DetailsPane::Tab::Logs, DetailsPane::Tab::Relations}) {
            details->showTab(tab);
            test::settle();
        }
        test::MadeRun run;
        auto* dock = shop.window->findChild<IncidentDock*>();
        dock->setState(run.snapshot());
        run.proposed();
        dock->setState(run.snapshot());
        dock->setProposal(test::madeProposal());
        run.point(0.5, 1);
        run.executed();
        run.point(1, 1);
        run.resolved();
        dock->setState(run.snapshot());
        dock->grab();
        test::settle();
        (new ScaleDialog(shop.session, test::MadeRun::deployment("checkout"), shop.window.get()))->show();
        test::settle();
    }
    QCoreApplication::removeTranslator(&watcher);
    EXPECT_GT(watcher.found, 50);
    for (const auto& text : watcher.missed) {
        ADD_FAILURE() << "not in the catalogue under this name: " << text;
    }
}

} // namespace
} // namespace alidade::ui
