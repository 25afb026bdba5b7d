// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: the navigator's tree: Trouble, then categories with the kinds the server serves.
// What it must not know: widgets, the session.
// Thread: GUI.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <QAbstractItemModel>

#include "alidade/cluster_model/session.hpp"

namespace alidade::models {

class NavigatorModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Role : int {
        TypeRole = Qt::UserRole + 1,  ///< int of Type
        CountRole,                    ///< int, absent when not known
        BadgeRole,                    ///< int: objects in trouble
        ResourceRole                  ///< "deployments.apps", as kubectl writes it
    };
    enum class Type : std::uint8_t { Trouble, Category, Kind };

    explicit NavigatorModel(QObject* parent = nullptr);
    ~NavigatorModel() override;

    /// The kinds that can be listed. Until then the well-known ones stand there.
    void setCatalog(const cluster::Catalog& catalog);
    void setTrouble(int badge); ///< negative: not known, which is not "none"
    void setNumbers(const guard::KindId& kind, std::optional<int> count, int badge);
    void clearNumbers();

    [[nodiscard]] std::optional<guard::KindId> kindAt(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(const guard::KindId& kind) const;
    [[nodiscard]] QModelIndex troubleIndex() const { return index(0, 0); }

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Node {
        Type type = Type::Kind;
        QString title;
        guard::KindId kind;
        std::optional<int> count;
        int badge = 0;
        Node* parent = nullptr;
        int row = 0;
        std::vector<std::unique_ptr<Node>> children;
    };
    void nameGroups();
    void build(const std::vector<cluster::ResourceKind>& kinds);
    [[nodiscard]] Node* node(const QModelIndex& index) const;
    [[nodiscard]] Node* find(const guard::KindId& kind) const;

    Node root_;
};

/// "Deployments", "Pods", "Certificates" ...: the plural as people read it, from kind and resource.
[[nodiscard]] QString kindTitle(const guard::KindId& kind);

} // namespace alidade::models
