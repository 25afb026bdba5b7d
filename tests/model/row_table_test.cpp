// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/models/row_table_model.hpp"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QSignalSpy>

#include <gtest/gtest.h>

#include <map>

#include "made_rows.hpp"

namespace alidade::models {
namespace {

using test::MadePod;

struct Table {
    std::shared_ptr<guard::ManualClock> clock = std::make_shared<guard::ManualClock>();
    RowTableModel model{clock};
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};

    explicit Table(bool showNamespace = true) { model.begin(guard::kinds::pods(), showNamespace); }

    [[nodiscard]] std::vector<QStringList> cells() const {
        std::vector<QStringList> out;
        for (int r = 0; r < model.rowCount(); ++r) {
            QStringList row{model.data(model.index(r, 0), RowTableModel::KeyRole).toString()};
            for (int c = 0; c < model.columnCount(); ++c) {
                row << model.data(model.index(r, c)).toString();
            }
            out.push_back(row);
        }
        return out;
    }
    [[nodiscard]] QStringList names() const {
        QStringList out;
        for (int r = 0; r < model.rowCount(); ++r) {
            out << model.data(model.index(r, 0), RowTableModel::NameRole).toString();
        }
        return out;
    }
    [[nodiscard]] int column(const QString& title) const {
        for (int c = 0; c < model.columnCount(); ++c) {
            if (model.headerData(c, Qt::Horizontal).toString() == title) {
                return c;
            }
        }
        return -1;
    }
};

cluster::RowPtr pod(const std::string& name, const std::string& uid, int restarts = 0,
                    const std::string& status = "Running") {
    MadePod made;
    made.name = name;
    made.uid = uid;
    made.restarts = restarts;
    made.status = status;
    return test::makeRow(made);
}

TEST(RowTable, ShowsRowsByNaturalName) {
    Table t;
    t.model.apply({test::reset({pod("web-10", "a"), pod("web-9", "b"), pod("Web-1", "c")})});
    EXPECT_EQ(t.names(), (QStringList{"Web-1", "web-9", "web-10"}));
    EXPECT_EQ(t.column(QStringLiteral("NAMESPACE")), 0);
    EXPECT_EQ(t.column(QStringLiteral("NODE")), -1) << "a wide column";
}

TEST(RowTable, SortsByValueNotByText) {
    Table t;
    t.model.apply({test::reset({pod("a", "a", 9), pod("b", "b", 10), pod("c", "c", 100), pod("d", "d", 9)})});
    t.model.sort(t.column(QStringLiteral("RESTARTS")), Qt::AscendingOrder);
    EXPECT_EQ(t.names(), (QStringList{"a", "d", "b", "c"}));
    t.model.sort(t.column(QStringLiteral("RESTARTS")), Qt::DescendingOrder);
    EXPECT_EQ(t.names(), (QStringList{"c", "b", "d", "a"}));
}

TEST(RowTable, EventsAreReadFromTheNewest) {
    RowTableModel model{std::make_shared<guard::ManualClock>()};
    model.begin(guard::kinds::events(), false);
    const auto schema = std::make_shared<const std::vector<cluster::Column>>(std::vector<cluster::Column>{
        {"LAST SEEN", cluster::ColumnType::Age, false, ""}, {"MESSAGE", cluster::ColumnType::Text, false, ""}});
    std::vector<cluster::RowPtr> rows;
    for (const auto& [name, seen] : {std::pair("a", 10), std::pair("b", 30), std::pair("c", 20)}) {
        cluster::RowBuilder b;
        b.ns("shop").name(name).uid(name).ageCell(seen * 1'000'000'000LL).cell(name);
        rows.push_back(b.build());
    }
    model.apply({test::reset(rows, schema)});
    QStringList order;
    for (int row = 0; row < model.rowCount(); ++row) {
        order << model.index(row, 1).data().toString();
    }
    EXPECT_EQ(order, (QStringList{"b", "c", "a"}));
    EXPECT_EQ(model.sortColumn(), 0) << "the header says so";
}

TEST(RowTable, SelectionFollowsTheObjectWhenTheOrderChanges) {
    Table t;
    t.model.apply({test::reset({pod("a", "a", 1), pod("b", "b", 2), pod("c", "c", 3)})});
    t.model.sort(t.column(QStringLiteral("RESTARTS")), Qt::AscendingOrder);
    const QPersistentModelIndex selected = t.model.index(0, 0);
    t.model.apply({test::upsert({pod("a", "a", 50)})});
    EXPECT_EQ(t.names(), (QStringList{"b", "c", "a"}));
    EXPECT_EQ(selected.row(), 2);
    EXPECT_EQ(selected.data(RowTableModel::KeyRole).toString(), QStringLiteral("a"));
    EXPECT_EQ(t.model.positionOf("a"), 2);
}

TEST(RowTable, ARelistIsADifferenceNotAnewTable) {
    Table t;
    t.model.apply({test::reset({pod("a", "a"), pod("b", "b"), pod("c", "c")})});
    const QPersistentModelIndex b = t.model.index(1, 0);
    QSignalSpy resets(&t.model, &QAbstractItemModel::modelReset);
    t.model.apply({test::reset({pod("b", "b"), pod("d", "d")})});
    EXPECT_EQ(t.names(), (QStringList{"b", "d"}));
    EXPECT_EQ(resets.count(), 0);
    EXPECT_EQ(b.row(), 0);
}

TEST(RowTable, NamesTheChangedColumnsAndFadesThem) {
    Table t(false);
    t.model.apply({test::reset({pod("a", "a"), pod("b", "b")})});
    QSignalSpy changed(&t.model, &QAbstractItemModel::dataChanged);
    t.model.apply({test::upsert({pod("a", "a", 0, "CrashLoopBackOff")})});
    ASSERT_EQ(changed.count(), 1);
    const int status = t.column(QStringLiteral("STATUS"));
    EXPECT_EQ(changed[0][0].toModelIndex(), t.model.index(0, status));
    EXPECT_EQ(changed[0][1].toModelIndex(), t.model.index(0, status));
    const auto fade = [&](int column) {
        return t.model.data(t.model.index(0, column), RowTableModel::ChangedRole).toDouble();
    };
    EXPECT_DOUBLE_EQ(fade(status), 1.0);
    EXPECT_DOUBLE_EQ(fade(0), 0.0);
    t.clock->advance(std::chrono::milliseconds(300));
    EXPECT_NEAR(fade(status), 0.5, 0.01);
    t.clock->advance(std::chrono::milliseconds(400));
    EXPECT_DOUBLE_EQ(fade(status), 0.0);
}

TEST(RowTable, NeighboursChangeInOneSignal) {
    Table t;
    std::vector<cluster::RowPtr> rows;
    std::vector<cluster::RowPtr> later;
    for (int i = 0; i < 50; ++i) {
        rows.push_back(pod("p-" + std::to_string(i), "u" + std::to_string(i)));
        later.push_back(pod("p-" + std::to_string(i), "u" + std::to_string(i), 0, "Terminating"));
    }
    t.model.apply({test::reset(rows)});
    QSignalSpy changed(&t.model, &QAbstractItemModel::dataChanged);
    t.model.apply({test::upsert({later.begin(), later.begin() + 20}), test::upsert({later.begin() + 20, later.end()})});
    EXPECT_EQ(changed.count(), 1);
}

TEST(RowTable, AFilteredRowComesAndGoesWithItsContent) {
    Table t;
    t.model.apply({test::reset({pod("a", "a"), pod("b", "b")})});
    t.model.setFilter(QStringLiteral("crash"));
    EXPECT_EQ(t.model.rowCount(), 0);
    EXPECT_EQ(t.model.total(), 2U);
    t.model.apply({test::upsert({pod("b", "b", 1, "CrashLoopBackOff")})});
    EXPECT_EQ(t.names(), QStringList{"b"});
    t.model.apply({test::upsert({pod("b", "b", 1, "Running")})});
    EXPECT_EQ(t.model.rowCount(), 0);
    EXPECT_TRUE(t.model.find("b"));
    EXPECT_FALSE(t.model.positionOf("b").has_value());
}

TEST(RowTable, SameNameWithAnotherUidIsAnotherObject) {
    Table t;
    t.model.apply({test::reset({pod("a", "old")})});
    const QPersistentModelIndex old = t.model.index(0, 0);
    t.model.apply({test::upsert({pod("a", "new")}), test::removal({"old"})});
    ASSERT_EQ(t.model.rowCount(), 1);
    EXPECT_EQ(t.model.refAt(0).uid, "new");
    EXPECT_FALSE(old.isValid()) << "the selection does not slip onto the successor";
}

TEST(RowTable, FewerCellsThanColumnsAreEmptyCells) {
    Table t;
    cluster::RowBuilder b;
    b.ns("shop").name("odd").uid("odd");
    b.nameCell();
    t.model.apply({test::reset({b.build()})});
    EXPECT_EQ(t.model.data(t.model.index(0, t.column(QStringLiteral("STATUS")))).toString(), QString());
    t.model.sort(t.column(QStringLiteral("AGE")));
    EXPECT_EQ(t.model.rowCount(), 1);
}

/// One random history, as operations on a plain map; every way of feeding it must show the same table.
class History {
public:
    explicit History(std::uint64_t seed) : random_(seed) {}

    cluster::DeltaBatch next() {
        cluster::DeltaBatch batch = test::upsert({});
        const auto roll = random_() % 100;
        if (first_ || roll < 3) {
            first_ = false;
            const auto count = random_() % 40;
            truth_.clear();
            for (std::size_t i = 0; i < count; ++i) {
                put(batch);
            }
            batch.reset = true;
            batch.schema = test::podSchema();
        } else {
            const auto changes = 1 + random_() % 12;
            for (std::size_t i = 0; i < changes; ++i) {
                if (!truth_.empty() && random_() % 3 == 0) {
                    auto it = std::next(truth_.begin(), static_cast<std::ptrdiff_t>(random_() % truth_.size()));
                    std::erase_if(batch.upserts, [&](const auto& row) { return row->key == it->first; });
                    batch.removals.push_back(it->first);
                    truth_.erase(it);
                } else {
                    put(batch);
                }
            }
        }
        return batch;
    }
    [[nodiscard]] cluster::DeltaBatch whole() const {
        std::vector<cluster::RowPtr> rows;
        for (const auto& [key, row] : truth_) {
            rows.push_back(row);
        }
        return test::reset(rows);
    }
    std::mt19937_64& random() { return random_; }

private:
    void put(cluster::DeltaBatch& batch) {
        const auto made = test::randomPod(random_, static_cast<int>(random_() % 60));
        const auto row = test::makeRow(made);
        std::erase(batch.removals, made.uid);
        std::erase_if(batch.upserts, [&](const auto& each) { return each->key == made.uid; });
        batch.upserts.push_back(row);
        truth_[made.uid] = row;
    }
    std::mt19937_64 random_;
    bool first_ = true;
    std::map<std::string, cluster::RowPtr> truth_;
};

TEST(RowTable, BatchEqualsSinglesEqualsReset) {
    const QStringList filters{QString(),
                              QStringLiteral("check"),
                              QStringLiteral("!crash"),
                              QStringLiteral("-l app=cart"),
                              QStringLiteral("/x[0-9]$|shop/"),
                              QStringLiteral("-s")};
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        History history(seed);
        Table singles;
        Table batched;
        std::vector<cluster::DeltaBatch> held;
        for (int step = 0; step < 40; ++step) {
            const auto batch = history.next();
            singles.model.apply({batch});
            held.push_back(batch);
            if (history.random()() % 4 == 0) {
                batched.model.apply(std::exchange(held, {}));
            }
            if (history.random()() % 6 == 0) {
                const auto& filter = filters[static_cast<qsizetype>(history.random()() % 6)];
                batched.model.apply(std::exchange(held, {}));
                singles.model.setFilter(filter);
                batched.model.setFilter(filter);
            }
            if (history.random()() % 6 == 0 && singles.model.columnCount() > 0) {
                batched.model.apply(std::exchange(held, {}));
                const int column = static_cast<int>(history.random()() % 6) - 1;
                const auto order = history.random()() % 2 == 0 ? Qt::AscendingOrder : Qt::DescendingOrder;
                singles.model.sort(column, order);
                batched.model.sort(column, order);
            }
        }
        batched.model.apply(std::exchange(held, {}));
        Table fresh;
        fresh.model.apply({history.whole()});
        fresh.model.sort(singles.model.sortColumn(), singles.model.sortOrder());
        for (const QString& filter : filters) {
            singles.model.setFilter(filter);
            batched.model.setFilter(filter);
            fresh.model.setFilter(filter);
            ASSERT_EQ(singles.cells(), fresh.cells()) << "seed " << seed << " filter " << filter.toStdString();
            ASSERT_EQ(batched.cells(), fresh.cells()) << "seed " << seed << " filter " << filter.toStdString();
        }
    }
}

TEST(RowTable, ManyRowsAtOnceStandInTheSameOrderAsFew) {
    std::mt19937_64 random(7);
    std::vector<cluster::RowPtr> rows;
    for (int i = 0; i < 4'200; ++i) { // past the limit where a change becomes a reset
        rows.push_back(test::makeRow(test::randomPod(random, i)));
    }
    const auto clock = std::make_shared<guard::ManualClock>();
    RowTableModel whole(clock); // no tester here: it looks at every row after every range
    RowTableModel grown(clock);
    whole.begin(guard::kinds::pods(), true);
    grown.begin(guard::kinds::pods(), true);
    whole.apply({test::reset(rows)});
    grown.apply({test::reset({rows.begin(), rows.begin() + 2'000})});
    for (std::size_t from = 2'000; from < rows.size(); from += 200) {
        const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(from);
        grown.apply({test::upsert({begin, begin + 200})});
    }
    for (const int column : {-1, 0, 1, 3, 4, 5}) {
        whole.sort(column, Qt::DescendingOrder);
        grown.sort(column, Qt::DescendingOrder);
        ASSERT_EQ(whole.rowCount(), grown.rowCount());
        for (int row = 0; row < whole.rowCount(); ++row) {
            ASSERT_EQ(whole.rowAt(row)->key, grown.rowAt(row)->key) << column;
        }
    }
}

} // namespace
} // namespace alidade::models
