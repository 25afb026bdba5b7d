// SPDX-License-Identifier: GPL-3.0-or-later
// One file's YAML -> entries, by the types client-go has for them.
#include "kubeconfig/base64.hpp"
#include "kubeconfig/entries.hpp"
#include "kubeconfig/yaml_tree.hpp"

#include <filesystem>
#include <set>

namespace alidade::cluster {
namespace {

using guard::ErrorCode;
using guard::Secret;

/// Reads typed fields of one file. The first wrong type is kept; later reads give empty values.
class FieldReader {
public:
    FieldReader(std::string name, std::string directory) : name_(std::move(name)), directory_(std::move(directory)) {}

    [[nodiscard]] std::string text(const YamlNode& map, std::string_view field, const std::string& path) {
        const YamlNode* node = map.field(field);
        return node == nullptr ? std::string() : scalar(*node, path + "." + std::string(field));
    }
    [[nodiscard]] std::string scalar(const YamlNode& node, const std::string& path) {
        if (node.kind == YamlNode::Kind::Null) {
            return {};
        }
        if (node.kind != YamlNode::Kind::Scalar) {
            refuse(node, path, "must be text");
            return {};
        }
        if (node.plain) {
            const PlainScalar kind = resolvePlain(node.text);
            if (kind == PlainScalar::Number || kind == PlainScalar::Bool) {
                refuse(node, path,
                       std::string("is read by YAML as a ") +
                           (kind == PlainScalar::Number ? "number" : "yes/no value") +
                           ", and must be text: put it in quotes (kubectl refuses it too)");
                return {};
            }
        }
        return node.text;
    }
    [[nodiscard]] SecretText secret(const YamlNode& map, std::string_view field, const std::string& path) {
        std::string value = text(map, field, path);
        return value.empty() ? nullptr : std::make_shared<Secret<std::string>>(std::move(value));
    }
    [[nodiscard]] bool flag(const YamlNode& map, std::string_view field, const std::string& path) {
        const YamlNode* node = map.field(field);
        if (node == nullptr || node->kind == YamlNode::Kind::Null) {
            return false;
        }
        if (node->kind != YamlNode::Kind::Scalar || !node->plain || resolvePlain(node->text) != PlainScalar::Bool) {
            refuse(*node, path + "." + std::string(field), "must be true or false, without quotes");
            return false;
        }
        return isYamlTrue(node->text);
    }
    /// A file reference: against this file's own folder.
    [[nodiscard]] std::string file(const YamlNode& map, std::string_view field, const std::string& path) {
        return resolve(text(map, field, path));
    }
    [[nodiscard]] std::string resolve(const std::string& path) const {
        if (path.empty() || directory_.empty() || std::filesystem::path(path).is_absolute()) {
            return path;
        }
        return (std::filesystem::path(directory_) / path).lexically_normal().string();
    }
    /// A list, or nothing for null and absent.
    [[nodiscard]] const std::vector<YamlNode>& list(const YamlNode& map, std::string_view field,
                                                    const std::string& path) {
        static const std::vector<YamlNode> kNone;
        const YamlNode* node = map.field(field);
        if (node == nullptr || node->kind == YamlNode::Kind::Null) {
            return kNone;
        }
        if (node->kind != YamlNode::Kind::Sequence) {
            refuse(*node, path.empty() ? std::string(field) : path + "." + std::string(field), "must be a list");
            return kNone;
        }
        return node->items;
    }
    /// A mapping; an empty one for null and absent.
    [[nodiscard]] const YamlNode& map(const YamlNode& parent, std::string_view field, const std::string& path) {
        static const YamlNode kNone;
        const YamlNode* node = parent.field(field);
        if (node == nullptr || node->kind == YamlNode::Kind::Null) {
            return kNone;
        }
        if (node->kind != YamlNode::Kind::Map) {
            refuse(*node, path + "." + std::string(field), "must be a mapping");
            return kNone;
        }
        return *node;
    }
    void refuse(const YamlNode& node, const std::string& path, const std::string& why) {
        if (!problem_) {
            problem_ =
                guard::Error(ErrorCode::Config, node.line > 0 ? name_ + ", line " + std::to_string(node.line) : name_,
                             path + " " + why);
        }
    }
    [[nodiscard]] const std::optional<guard::Error>& problem() const noexcept { return problem_; }
    [[nodiscard]] const std::string& name() const noexcept { return name_; }

private:
    std::string name_;
    std::string directory_;
    std::optional<guard::Error> problem_;
};

/// A *-data field. Broken base64 spoils its entry, not the file.
std::string data(FieldReader& read, const YamlNode& map, std::string_view field, const std::string& path,
                 const std::string& entry, std::optional<guard::Error>& problem) {
    const std::string encoded = read.text(map, field, path);
    if (encoded.empty()) {
        return {};
    }
    auto decoded = decodeBase64(encoded);
    if (!decoded || decoded->empty()) {
        if (!problem) {
            problem = guard::Error(ErrorCode::Config, entry,
                                   std::string(field) + " is not valid base64. Write it again with "
                                                        "kubectl config set-cluster or set-credentials --embed-certs.");
        }
        return {};
    }
    return std::move(*decoded);
}

ClusterEntry readCluster(FieldReader& read, const std::string& name, const YamlNode& map, const std::string& path) {
    ClusterEntry entry;
    entry.name = name;
    entry.file = read.name();
    entry.server = read.text(map, "server", path);
    entry.tlsServerName = read.text(map, "tls-server-name", path);
    entry.caFile = read.file(map, "certificate-authority", path);
    entry.caData = data(read, map, "certificate-authority-data", path, entryName(entry), entry.problem);
    entry.proxyUrl = read.text(map, "proxy-url", path);
    entry.insecure = read.flag(map, "insecure-skip-tls-verify", path);
    for (const YamlNode& extension : read.list(map, "extensions", path)) {
        const YamlNode* extensionName = extension.field("name");
        const YamlNode* value = extension.field("extension");
        if (extensionName != nullptr && value != nullptr &&
            extensionName->text == "client.authentication.k8s.io/exec") {
            entry.execConfig = toJson(*value);
        }
    }
    return entry;
}

ExecSpec readExec(FieldReader& read, const YamlNode& map, const std::string& path) {
    ExecSpec exec;
    exec.command = read.text(map, "command", path);
    if (exec.command.find('/') != std::string::npos) {
        exec.command = read.resolve(exec.command);
    }
    exec.apiVersion = read.text(map, "apiVersion", path);
    exec.interactiveMode = read.text(map, "interactiveMode", path);
    exec.installHint = read.text(map, "installHint", path);
    exec.provideClusterInfo = read.flag(map, "provideClusterInfo", path);
    std::size_t i = 0;
    for (const YamlNode& argument : read.list(map, "args", path)) {
        exec.arguments.push_back(read.scalar(argument, path + ".args[" + std::to_string(i++) + "]"));
    }
    i = 0;
    for (const YamlNode& variable : read.list(map, "env", path)) {
        const std::string at = path + ".env[" + std::to_string(i++) + "]";
        std::string name = read.text(variable, "name", at);
        std::string value = read.text(variable, "value", at);
        exec.environment.emplace_back(std::move(name), std::move(value));
    }
    return exec;
}

UserEntry readUser(FieldReader& read, const std::string& name, const YamlNode& map, const std::string& path) {
    UserEntry entry;
    entry.name = name;
    entry.file = read.name();
    entry.certFile = read.file(map, "client-certificate", path);
    entry.certData = data(read, map, "client-certificate-data", path, entryName(entry), entry.problem);
    entry.keyFile = read.file(map, "client-key", path);
    if (std::string key = data(read, map, "client-key-data", path, entryName(entry), entry.problem); !key.empty()) {
        entry.keyData = std::make_shared<Secret<std::string>>(std::move(key));
    }
    entry.token = read.secret(map, "token", path);
    entry.tokenFile = read.file(map, "tokenFile", path);
    entry.username = read.text(map, "username", path);
    entry.password = read.secret(map, "password", path);
    entry.as = read.text(map, "as", path);
    entry.asUid = read.text(map, "as-uid", path);
    std::size_t i = 0;
    for (const YamlNode& group : read.list(map, "as-groups", path)) {
        entry.asGroups.push_back(read.scalar(group, path + ".as-groups[" + std::to_string(i++) + "]"));
    }
    for (const auto& [key, values] : read.map(map, "as-user-extra", path).fields) {
        std::vector<std::string> texts;
        if (values.kind != YamlNode::Kind::Sequence && values.kind != YamlNode::Kind::Null) {
            read.refuse(values, path + ".as-user-extra." + key, "must be a list");
        }
        for (const YamlNode& value : values.items) {
            texts.push_back(read.scalar(value, path + ".as-user-extra." + key));
        }
        entry.asExtra.emplace_back(key, std::move(texts));
    }
    entry.authProvider = read.text(read.map(map, "auth-provider", path), "name", path + ".auth-provider");
    if (const YamlNode* exec = map.field("exec"); exec != nullptr && exec->kind != YamlNode::Kind::Null) {
        entry.exec = readExec(read, read.map(map, "exec", path), path + ".exec");
    }
    return entry;
}

ContextValue readContext(FieldReader& read, const std::string& name, const YamlNode& map, const std::string& path) {
    ContextValue entry;
    entry.name = name;
    entry.file = read.name();
    entry.cluster = read.text(map, "cluster", path);
    entry.user = read.text(map, "user", path);
    entry.ns = read.text(map, "namespace", path);
    return entry;
}

/// One of the three lists of named entries.
template<class Entry, class Read>
std::vector<Entry> readList(FieldReader& read, const YamlNode& root, const char* list, const char* body, Read entryOf) {
    std::vector<Entry> entries;
    std::set<std::string> names;
    std::size_t i = 0;
    for (const YamlNode& item : read.list(root, list, "")) {
        const std::string at = std::string(list) + "[" + std::to_string(i++) + "]";
        if (item.kind == YamlNode::Kind::Null) {
            continue;
        }
        if (item.kind != YamlNode::Kind::Map) {
            read.refuse(item, at, "must be a mapping with name and " + std::string(body));
            continue;
        }
        const std::string name = read.text(item, "name", at);
        if (!names.insert(name).second) {
            read.refuse(item, at + ".name", "\"" + name + "\" is there twice");
        }
        entries.push_back(entryOf(read, name, read.map(item, body, at), at + "." + body));
    }
    return entries;
}

template<class Entry>
void addNew(std::vector<Entry>& all, std::vector<Entry> more) {
    std::set<std::string> known;
    for (const Entry& entry : all) {
        known.insert(entry.name);
    }
    for (Entry& entry : more) {
        if (!known.contains(entry.name)) {
            all.push_back(std::move(entry));
        }
    }
}

template<class Entry>
const Entry* byName(const std::vector<Entry>& entries, std::string_view name) noexcept {
    for (const Entry& entry : entries) {
        if (entry.name == name) {
            return &entry;
        }
    }
    return nullptr;
}

} // namespace

guard::Result<void> addKubeconfigText(Kubeconfig::Impl& config, const std::string& text, const std::string& name,
                                      const std::string& directory) {
    const auto root = parseYaml(text, name);
    if (!root) {
        return tl::unexpected(root.error());
    }
    if (root->kind == YamlNode::Kind::Null) {
        return {};
    }
    if (root->kind != YamlNode::Kind::Map) {
        return guard::fail(ErrorCode::Config, name, "this is not a kubeconfig: it has no clusters, users and contexts");
    }
    FieldReader read(name, directory);
    if (const YamlNode* kind = root->field("kind");
        kind != nullptr && kind->kind == YamlNode::Kind::Scalar && kind->text != "Config") {
        return guard::fail(ErrorCode::Config, name,
                           "this is not a kubeconfig: its kind is \"" + kind->text.substr(0, 80) +
                               "\", not \"Config\"");
    }
    auto clusters = readList<ClusterEntry>(read, *root, "clusters", "cluster", readCluster);
    auto users = readList<UserEntry>(read, *root, "users", "user", readUser);
    auto contexts = readList<ContextValue>(read, *root, "contexts", "context", readContext);
    std::string current;
    if (const YamlNode* node = root->field("current-context")) {
        current = read.scalar(*node, "current-context");
    }
    if (read.problem()) {
        return tl::unexpected(*read.problem());
    }
    addNew(config.clusters, std::move(clusters));
    addNew(config.users, std::move(users));
    addNew(config.contexts, std::move(contexts));
    if (config.currentContext.empty()) {
        config.currentContext = std::move(current);
    }
    return {};
}

const ClusterEntry* Kubeconfig::Impl::cluster(std::string_view name) const noexcept { return byName(clusters, name); }
const UserEntry* Kubeconfig::Impl::user(std::string_view name) const noexcept { return byName(users, name); }
const ContextValue* Kubeconfig::Impl::context(std::string_view name) const noexcept { return byName(contexts, name); }

} // namespace alidade::cluster
