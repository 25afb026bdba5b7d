// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/models/navigator_model.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <QCoreApplication>

#include "alidade/models/text.hpp"

namespace alidade::models {
namespace {

struct Category {
    const char* title;
    std::vector<std::string_view> resources;
};

const std::vector<Category>& categories() {
    static const std::vector<Category> all{
        {QT_TRANSLATE_NOOP("Navigator", "Workloads"),
         {"pods", "deployments.apps", "replicasets.apps", "statefulsets.apps", "daemonsets.apps", "jobs.batch",
          "cronjobs.batch", "horizontalpodautoscalers.autoscaling", "poddisruptionbudgets.policy",
          "replicationcontrollers"}},
        {QT_TRANSLATE_NOOP("Navigator", "Network"),
         {"services", "endpointslices.discovery.k8s.io", "ingresses.networking.k8s.io",
          "networkpolicies.networking.k8s.io", "ingressclasses.networking.k8s.io", "endpoints"}},
        {QT_TRANSLATE_NOOP("Navigator", "Config"),
         {"configmaps", "secrets", "resourcequotas", "limitranges", "priorityclasses.scheduling.k8s.io"}},
        {QT_TRANSLATE_NOOP("Navigator", "Storage"),
         {"persistentvolumeclaims", "persistentvolumes", "storageclasses.storage.k8s.io",
          "volumeattachments.storage.k8s.io", "csidrivers.storage.k8s.io", "csinodes.storage.k8s.io"}},
        {QT_TRANSLATE_NOOP("Navigator", "Access"),
         {"serviceaccounts", "roles.rbac.authorization.k8s.io", "rolebindings.rbac.authorization.k8s.io",
          "clusterroles.rbac.authorization.k8s.io", "clusterrolebindings.rbac.authorization.k8s.io",
          "certificatesigningrequests.certificates.k8s.io"}},
        {QT_TRANSLATE_NOOP("Navigator", "Cluster"),
         {"nodes", "namespaces", "events", "leases.coordination.k8s.io",
          "customresourcedefinitions.apiextensions.k8s.io"}},
    };
    return all;
}

std::string fullName(const guard::KindId& kind) {
    return kind.group.empty() ? kind.resource : kind.resource + '.' + kind.group;
}

bool isBuiltInGroup(const std::string& group) {
    return group.empty() || group == "apps" || group == "batch" || group == "autoscaling" || group == "policy" ||
           (group.size() > 7 && group.compare(group.size() - 7, 7, ".k8s.io") == 0);
}

std::vector<cluster::ResourceKind> wellKnown() {
    std::vector<cluster::ResourceKind> out;
    for (const auto* kind :
         {&guard::kinds::pods(), &guard::kinds::deployments(), &guard::kinds::replicaSets(), &guard::kinds::services(),
          &guard::kinds::endpointSlices(), &guard::kinds::configMaps(), &guard::kinds::secrets(),
          &guard::kinds::nodes(), &guard::kinds::namespaces(), &guard::kinds::events()}) {
        cluster::ResourceKind each;
        each.id = *kind;
        each.verbs = {"list", "watch"};
        out.push_back(std::move(each));
    }
    return out;
}

} // namespace

QString kindTitle(const guard::KindId& kind) {
    QString title = shown(kind.kind);
    const QString plural = shown(kind.resource);
    if (plural.size() <= title.size() && plural.compare(title, Qt::CaseInsensitive) == 0) {
        return title; // Endpoints
    }
    // "NetworkPolicy" + "networkpolicies": the kind's capitals with the plural's end.
    qsizetype same = 0;
    while (same < title.size() && same < plural.size() && title[same].toLower() == plural[same]) {
        ++same;
    }
    return same >= 3 ? title.left(same) + plural.mid(same) : title;
}

NavigatorModel::NavigatorModel(QObject* parent) : QAbstractItemModel(parent) { build(wellKnown()); }
NavigatorModel::~NavigatorModel() = default;

void NavigatorModel::setCatalog(const cluster::Catalog& catalog) {
    beginResetModel();
    build(catalog.kinds);
    endResetModel();
}

void NavigatorModel::build(const std::vector<cluster::ResourceKind>& kinds) {
    std::map<guard::KindId, std::pair<std::optional<int>, int>> numbers;
    int trouble = 0;
    for (const auto& top : root_.children) {
        trouble = top->type == Type::Trouble ? top->badge : trouble;
        for (const auto& child : top->children) {
            numbers[child->kind] = {child->count, child->badge};
        }
    }
    root_.children.clear();
    const auto append = [](Node& to, Type type, QString title) {
        auto made = std::make_unique<Node>();
        made->type = type;
        made->title = std::move(title);
        made->parent = &to;
        made->row = static_cast<int>(to.children.size());
        to.children.push_back(std::move(made));
        return to.children.back().get();
    };
    append(root_, Type::Trouble, QCoreApplication::translate("Navigator", "Trouble"))->badge = trouble;

    std::vector<const cluster::ResourceKind*> left;
    for (const auto& kind : kinds) {
        if (kind.can("list")) {
            left.push_back(&kind);
        }
    }
    const auto appendKind = [&](Node& category, const guard::KindId& kind) {
        Node* made = append(category, Type::Kind, kindTitle(kind));
        made->kind = kind;
        if (const auto it = numbers.find(kind); it != numbers.end()) {
            std::tie(made->count, made->badge) = it->second;
        }
    };
    std::vector<std::pair<Node*, std::string_view>> groups;
    for (const auto& category : categories()) {
        Node* made = append(root_, Type::Category, QCoreApplication::translate("Navigator", category.title));
        for (const std::string_view resource : category.resources) {
            const auto it = std::find_if(left.begin(), left.end(),
                                         [&](const auto* kind) { return fullName(kind->id) == resource; });
            if (it != left.end()) {
                appendKind(*made, (*it)->id);
                left.erase(it);
            }
        }
    }
    // Events are served by two groups and are the same objects.
    std::erase_if(left, [](const auto* kind) { return kind->id.resource == "events"; });
    Node* cluster = root_.children.back().get();
    std::vector<const cluster::ResourceKind*> custom;
    for (const auto* kind : left) {
        if (isBuiltInGroup(kind->id.group)) {
            appendKind(*cluster, kind->id);
        } else {
            custom.push_back(kind);
        }
    }
    if (!custom.empty()) {
        std::sort(custom.begin(), custom.end(), [](const auto* a, const auto* b) { return a->id.kind < b->id.kind; });
        Node* made = append(root_, Type::Category, QCoreApplication::translate("Navigator", "Custom"));
        for (const auto* kind : custom) {
            appendKind(*made, kind->id);
        }
    }
    nameGroups();
    std::erase_if(root_.children, [](const auto& n) { return n->type == Type::Category && n->children.empty(); });
    for (std::size_t i = 0; i < root_.children.size(); ++i) {
        root_.children[i]->row = static_cast<int>(i);
    }
}

/// Two kinds of one name are told apart by their groups.
void NavigatorModel::nameGroups() {
    std::map<QString, int> times;
    for (const auto& category : root_.children) {
        for (const auto& child : category->children) {
            ++times[child->title];
        }
    }
    for (const auto& category : root_.children) {
        for (const auto& child : category->children) {
            if (times[child->title] > 1 && !child->kind.group.empty()) {
                child->title += QStringLiteral(" (%1)").arg(shown(child->kind.group));
            }
        }
    }
}

void NavigatorModel::setTrouble(int badge) {
    Node& trouble = *root_.children.front();
    if (trouble.badge != badge) {
        trouble.badge = badge;
        Q_EMIT dataChanged(index(0, 0), index(0, 0));
    }
}

void NavigatorModel::setNumbers(const guard::KindId& kind, std::optional<int> count, int badge) {
    Node* found = find(kind);
    if (found == nullptr || (found->count == count && found->badge == badge)) {
        return;
    }
    found->count = count;
    found->badge = badge;
    const QModelIndex at = createIndex(found->row, 0, found);
    Q_EMIT dataChanged(at, at);
}

void NavigatorModel::clearNumbers() {
    for (const auto& top : root_.children) {
        top->badge = 0;
        for (const auto& child : top->children) {
            child->count.reset();
            child->badge = 0;
        }
        const QModelIndex at = createIndex(top->row, 0, top.get());
        Q_EMIT dataChanged(at, at);
        if (!top->children.empty()) {
            Q_EMIT dataChanged(index(0, 0, at), index(rowCount(at) - 1, 0, at));
        }
    }
}

NavigatorModel::Node* NavigatorModel::node(const QModelIndex& index) const {
    return index.isValid() ? static_cast<Node*>(index.internalPointer()) : const_cast<Node*>(&root_);
}

NavigatorModel::Node* NavigatorModel::find(const guard::KindId& kind) const {
    for (const auto& top : root_.children) {
        for (const auto& child : top->children) {
            if (child->kind == kind) {
                return child.get();
            }
        }
    }
    return nullptr;
}

std::optional<guard::KindId> NavigatorModel::kindAt(const QModelIndex& index) const {
    if (!index.isValid() || node(index)->type != Type::Kind) {
        return std::nullopt;
    }
    return node(index)->kind;
}

QModelIndex NavigatorModel::indexOf(const guard::KindId& kind) const {
    Node* found = find(kind);
    return found == nullptr ? QModelIndex() : createIndex(found->row, 0, found);
}

QModelIndex NavigatorModel::index(int row, int column, const QModelIndex& parent) const {
    Node* above = node(parent);
    if (column != 0 || row < 0 || row >= static_cast<int>(above->children.size())) {
        return {};
    }
    return createIndex(row, column, above->children[static_cast<std::size_t>(row)].get());
}

QModelIndex NavigatorModel::parent(const QModelIndex& child) const {
    if (!child.isValid()) {
        return {};
    }
    Node* above = node(child)->parent;
    return above == nullptr || above == &root_ ? QModelIndex() : createIndex(above->row, 0, above);
}

int NavigatorModel::rowCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : static_cast<int>(node(parent)->children.size());
}
int NavigatorModel::columnCount(const QModelIndex&) const { return 1; }

QVariant NavigatorModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const Node& at = *node(index);
    switch (role) {
    case Qt::DisplayRole: return at.title;
    case Qt::ToolTipRole:
        return at.type == Type::Kind ? plainTip(shown(fullName(at.kind) + " " + at.kind.apiVersion())) : QVariant();
    case Qt::AccessibleTextRole: {
        QString text = at.title;
        if (at.count) {
            text += QCoreApplication::translate("Navigator", ", %n object(s)", nullptr, *at.count);
        }
        if (at.badge > 0) {
            text += QCoreApplication::translate("Navigator", ", %n in trouble", nullptr, at.badge);
        }
        return text;
    }
    case TypeRole: return static_cast<int>(at.type);
    case CountRole: return at.count ? QVariant(*at.count) : QVariant();
    case BadgeRole: return at.badge;
    case ResourceRole: return at.type == Type::Kind ? QString::fromStdString(fullName(at.kind)) : QVariant();
    default: return {};
    }
}

Qt::ItemFlags NavigatorModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) {
        return Qt::NoItemFlags;
    }
    return node(index)->type == Type::Category ? Qt::ItemIsEnabled : Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

} // namespace alidade::models
