// SPDX-License-Identifier: GPL-3.0-or-later
#include "access/identity.hpp"
#include "alidade/cluster/open.hpp"
#include "files.hpp"
#include "kubeconfig/entries.hpp"
#include "kubeconfig/yaml_tree.hpp"

#include <gmock/gmock.h>

namespace alidade::cluster {
namespace {

using guard::ErrorCode;
using ::testing::HasSubstr;

const ContextEntry& entry(const std::vector<ContextEntry>& entries, const std::string& name) {
    static const ContextEntry kNone;
    for (const ContextEntry& one : entries) {
        if (one.name == name) {
            return one;
        }
    }
    ADD_FAILURE() << "no context " << name;
    return kNone;
}

Kubeconfig parsed(const std::string& text) {
    auto config = Kubeconfig::parse(text, "config", "/home/me");
    EXPECT_TRUE(config) << (config ? "" : config.error().text());
    return *config;
}

std::string refusal(const std::string& text) {
    const auto config = Kubeconfig::parse(text, "config", "/home/me");
    EXPECT_FALSE(config);
    return config ? std::string() : config.error().text();
}

TEST(Kubeconfig, C01_first_file_wins_a_whole_entry_and_paths_are_relative_to_their_file) {
    const test::Folder folder;
    const std::string one = folder.write("a/one.yaml", R"(
clusters: [{name: c1, cluster: {server: "https://one.example.com"}}]
current-context: x
)");
    const std::string two = folder.write("b/two.yaml", R"(
clusters: [{name: c1, cluster: {server: "https://two.example.com", certificate-authority: pki/ca.crt}},
           {name: c2, cluster: {server: "https://three.example.com", certificate-authority: pki/ca.crt}}]
contexts: [{name: x, context: {cluster: c1, user: ""}}, {name: y, context: {cluster: c2, user: p}}]
users: [{name: p, user: {exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: bin/get-token}}},
        {name: q, user: {exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: get-token}}}]
current-context: y
)");
    const auto config = Kubeconfig::load({one, folder.path("nope/missing.yaml"), two});
    ASSERT_TRUE(config) << config.error().text();
    EXPECT_EQ(config->currentContext(), "x");
    const Kubeconfig::Impl& impl = *config->impl();
    EXPECT_EQ(impl.cluster("c1")->server, "https://one.example.com");
    EXPECT_EQ(impl.cluster("c1")->caFile, "");
    EXPECT_EQ(impl.cluster("c2")->caFile, folder.path("b/pki/ca.crt"));
    EXPECT_EQ(impl.user("p")->exec->command, folder.path("b/bin/get-token"));
    EXPECT_EQ(impl.user("q")->exec->command, "get-token");
    ASSERT_EQ(config->warnings().size(), 1U);
    EXPECT_THAT(config->warnings()[0], HasSubstr("missing.yaml: no such file"));
}

TEST(Kubeconfig, C01_lists_of_files_split_as_each_platform_does) {
    EXPECT_EQ(Kubeconfig::splitPathList(R"(C:\k\one.yaml;D:\k\two.yaml)", ';'),
              (std::vector<std::string>{R"(C:\k\one.yaml)", R"(D:\k\two.yaml)"}));
    EXPECT_EQ(Kubeconfig::defaultFiles({{"KUBECONFIG", "/a/one.yaml::/b/two.yaml:/a/one.yaml"}, {"HOME", "/home/me"}}),
              (std::vector<std::string>{"/a/one.yaml", "/b/two.yaml"}));
    EXPECT_EQ(Kubeconfig::defaultFiles({{"HOME", "/home/me"}}), (std::vector<std::string>{"/home/me/.kube/config"}));
}

TEST(Kubeconfig, C01_a_file_that_does_not_parse_is_named_and_the_others_stay) {
    const test::Folder folder;
    const std::string good = folder.write("good", "clusters: [{name: c, cluster: {server: 'https://h'}}]\n"
                                                  "contexts: [{name: x, context: {cluster: c}}]\n");
    const std::string broken = folder.write("broken", "clusters: [\nusers: }\n");
    const auto both = Kubeconfig::load({broken, good});
    ASSERT_TRUE(both);
    EXPECT_EQ(both->contexts().size(), 1U);
    EXPECT_THAT(both->warnings(), ::testing::Contains(HasSubstr("broken, line 2")));
    const auto alone = Kubeconfig::load({broken});
    ASSERT_FALSE(alone);
    EXPECT_EQ(alone.error().code, ErrorCode::Config);
    EXPECT_THAT(alone.error().where, HasSubstr("broken, line 2"));
}

TEST(Kubeconfig, C03_null_and_empty_sections_load_and_hide_nothing) {
    const Kubeconfig config = parsed(R"(
apiVersion: v1
kind: Config
preferences: {}
clusters: null
users:
- name: u
  user: {exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: get-token, args: null, env: null}}
contexts:
- name: half
  context: {cluster: "", user: "", namespace: team-a}
current-context: half
)");
    const auto contexts = config.contexts();
    ASSERT_EQ(contexts.size(), 1U);
    ASSERT_TRUE(contexts[0].problem);
    EXPECT_EQ(contexts[0].ns, "team-a");
    EXPECT_THAT(contexts[0].problem->text(), HasSubstr("context \"half\" in config: no cluster set"));
    EXPECT_TRUE(parsed("").contexts().empty());
    EXPECT_TRUE(parsed("{}").contexts().empty());
    EXPECT_TRUE(parsed("# nothing\n").contexts().empty());
}

TEST(Kubeconfig, C05_unquoted_numbers_are_refused_by_file_and_field) {
    EXPECT_THAT(refusal("users: [{name: 100000123456, user: {token: t}}]"),
                HasSubstr("config, line 1: users[0].name is read by YAML as a number"));
    for (const char* value : {"1e3", "0x10", "on", "973585995", "1_000", ".5", "no"}) {
        EXPECT_THAT(refusal(std::string("contexts:\n- name: x\n  context: {cluster: c, namespace: ") + value + "}\n"),
                    HasSubstr("config, line 3: contexts[0].context.namespace is read by YAML"))
            << value;
        const Kubeconfig quoted =
            parsed(std::string("contexts:\n- name: x\n  context: {cluster: c, namespace: \"") + value + "\"}\n");
        EXPECT_EQ(quoted.contexts()[0].ns, value);
    }
    EXPECT_EQ(parsed("contexts: [{name: 2024-01-02, context: {cluster: c}}]").contexts()[0].name, "2024-01-02");
}

TEST(Kubeconfig, C05_a_refused_file_leaves_the_contexts_of_the_others) {
    const test::Folder folder;
    const std::string bad = folder.write("bad", "users: [{name: 100000123456, user: {token: t}}]\n"
                                                "contexts: [{name: lost, context: {}}]\n");
    const std::string good = folder.write("good", "contexts: [{name: kept, context: {cluster: c}}]\n");
    const auto config = Kubeconfig::load({bad, good});
    ASSERT_TRUE(config);
    ASSERT_EQ(config->contexts().size(), 1U);
    EXPECT_EQ(config->contexts()[0].name, "kept");
}

TEST(Kubeconfig, C11_ca_together_with_the_insecure_flag_spoils_that_entry_alone) {
    const test::Folder folder;
    const Kubeconfig config = parsed(R"(
clusters:
- {name: a, cluster: {server: "https://a", certificate-authority-data: Zm9v}}
- {name: b, cluster: {server: "https://b", certificate-authority-data: Zm9v, insecure-skip-tls-verify: true}}
- {name: c, cluster: {server: "https://c", insecure-skip-tls-verify: true}}
contexts:
- {name: a, context: {cluster: a}}
- {name: b, context: {cluster: b}}
- {name: c, context: {cluster: c}}
)");
    const auto contexts = config.contexts();
    EXPECT_FALSE(entry(contexts, "a").problem);
    EXPECT_FALSE(entry(contexts, "a").insecure);
    ASSERT_TRUE(entry(contexts, "b").problem);
    EXPECT_THAT(entry(contexts, "b").problem->text(),
                HasSubstr("cluster entry \"b\" in config: root certificates together with insecure-skip-tls-verify"));
    EXPECT_FALSE(entry(contexts, "c").problem);
    EXPECT_TRUE(entry(contexts, "c").insecure);
    const auto identity = resolveIdentity(config, "c", "", {});
    ASSERT_TRUE(identity);
    EXPECT_FALSE(identity->info.tlsVerified);
    EXPECT_TRUE(identity->endpoint.insecureSkipVerify);
}

TEST(Kubeconfig, every_unusable_entry_says_why_and_the_way_out) {
    const Kubeconfig config = parsed(R"(
clusters:
- {name: ok, cluster: {server: "https://ok"}}
- {name: none, cluster: {}}
- {name: bad, cluster: {server: "gopher://h"}}
- {name: login, cluster: {server: "https://me:secret@h"}}
- {name: data, cluster: {server: "https://h", certificate-authority-data: "%%%"}}
users:
- {name: gone, user: {auth-provider: {name: gcp}}}
- {name: two, user: {token: t, username: u, password: p}}
- {name: half, user: {client-certificate: c.pem}}
- {name: groups, user: {token: t, as-groups: [g]}}
contexts:
- {name: no-cluster-entry, context: {cluster: nope}}
- {name: no-user-entry, context: {cluster: ok, user: nope}}
- {name: no-server, context: {cluster: none}}
- {name: bad-server, context: {cluster: bad}}
- {name: login-server, context: {cluster: login}}
- {name: bad-data, context: {cluster: data}}
- {name: provider, context: {cluster: ok, user: gone}}
- {name: two, context: {cluster: ok, user: two}}
- {name: half, context: {cluster: ok, user: half}}
- {name: groups, context: {cluster: ok, user: groups}}
- {name: fine, context: {cluster: ok}}
)");
    const auto contexts = config.contexts();
    const std::vector<std::pair<const char*, const char*>> wanted{
        {"no-cluster-entry", "its cluster \"nope\" is in none of the files"},
        {"no-user-entry", "its user \"nope\" is in none of the files"},
        {"no-server", "kubectl config set-cluster none --server="},
        {"bad-server", "is not an http or https URL"},
        {"login-server", "holds a user name or password"},
        {"bad-data", "certificate-authority-data is not valid base64"},
        {"provider", "auth-provider \"gcp\" was removed"},
        {"two", "both a token and a password"},
        {"half", "a client certificate is set but no client key"},
        {"groups", "without \"as\""},
    };
    for (const auto& [name, text] : wanted) {
        const ContextEntry& one = entry(contexts, name);
        ASSERT_TRUE(one.problem) << name;
        EXPECT_EQ(one.problem->code, ErrorCode::Config);
        EXPECT_THAT(one.problem->where, HasSubstr("in config")) << name;
        EXPECT_THAT(one.problem->detail, HasSubstr(text)) << name;
        EXPECT_THAT(one.problem->text(), ::testing::Not(HasSubstr("secret"))) << name;
        EXPECT_FALSE(resolveIdentity(config, name, "", {})) << name;
    }
    EXPECT_FALSE(entry(contexts, "fine").problem);
    EXPECT_EQ(entry(contexts, "login-server").server, "");
}

TEST(Kubeconfig, wrong_shapes_are_refused_by_field) {
    EXPECT_THAT(refusal("clusters: 3"), HasSubstr("clusters must be a list"));
    EXPECT_THAT(refusal("clusters: [x]"), HasSubstr("clusters[0] must be a mapping"));
    EXPECT_THAT(refusal("clusters: [{name: c, cluster: [1]}]"), HasSubstr("clusters[0].cluster must be a mapping"));
    EXPECT_THAT(refusal("clusters: [{name: {a: b}, cluster: {}}]"), HasSubstr("clusters[0].name must be text"));
    EXPECT_THAT(refusal("clusters: [{name: c, cluster: {insecure-skip-tls-verify: \"true\"}}]"),
                HasSubstr("must be true or false, without quotes"));
    EXPECT_THAT(refusal("clusters: [{name: c, cluster: {}}, {name: c, cluster: {}}]"),
                HasSubstr("\"c\" is there twice"));
    EXPECT_THAT(refusal("clusters: []\nclusters: []\n"), HasSubstr("config, line 2: key \"clusters\" is there twice"));
    EXPECT_THAT(refusal("- 1\n- 2\n"), HasSubstr("this is not a kubeconfig"));
    EXPECT_THAT(refusal("kind: Pod\nmetadata: {name: p}\n"), HasSubstr("its kind is \"Pod\""));
    EXPECT_THAT(refusal(std::string("a\0b", 3)), HasSubstr("not a text file"));
    EXPECT_THAT(refusal("<!DOCTYPE html><html></html>"), HasSubstr("not a kubeconfig"));
    EXPECT_THAT(refusal("clusters: {{{"), HasSubstr("not valid YAML"));
}

TEST(Kubeconfig, aliases_are_followed_and_cannot_grow_without_bound) {
    const Kubeconfig config = parsed(R"(
x: &base {cluster: c}
clusters: [{name: c, cluster: &same {server: "https://h"}}, {name: d, cluster: *same}]
contexts: [{name: one, context: {<<: *base, namespace: team}}]
)");
    EXPECT_EQ(config.impl()->cluster("d")->server, "https://h");
    EXPECT_EQ(config.contexts()[0].cluster, "c");
    EXPECT_EQ(config.contexts()[0].ns, "team");
    std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
    for (int i = 1; i < 12; ++i) {
        const std::string before = "*a" + std::to_string(i - 1);
        bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
        for (int j = 0; j < 9; ++j) {
            bomb += "," + before;
        }
        bomb += "]\n";
    }
    EXPECT_THAT(refusal(bomb), HasSubstr("too large once its aliases are expanded"));
    EXPECT_THAT(refusal("a: &a [*a]\n"), HasSubstr("alias"));
    EXPECT_THAT(refusal(std::string(100'000, '[')), HasSubstr("config"));
}

TEST(Kubeconfig, missing_broken_and_unfit_files_of_an_entry_are_named) {
    const test::Folder folder;
    folder.write("garbage.pem", "hello");
    const std::string file = folder.write("config", R"(
clusters:
- {name: gone, cluster: {server: "https://h", certificate-authority: ca.pem}}
- {name: garbage, cluster: {server: "https://h", certificate-authority: garbage.pem}}
- {name: folder, cluster: {server: "https://h", certificate-authority: .}}
- {name: ok, cluster: {server: "https://h"}}
users:
- {name: cert, user: {client-certificate: c.pem, client-key: k.pem}}
contexts:
- {name: gone, context: {cluster: gone}}
- {name: garbage, context: {cluster: garbage}}
- {name: folder, context: {cluster: folder}}
- {name: cert, context: {cluster: ok, user: cert}}
)");
    const auto config = Kubeconfig::load({file});
    ASSERT_TRUE(config);
    const auto fault = [&](const std::string& context) {
        const auto identity = resolveIdentity(*config, context, "", {});
        EXPECT_FALSE(identity);
        return identity ? std::string() : identity.error().text();
    };
    EXPECT_EQ(fault("gone"), "cluster entry \"gone\" in " + file + ": certificate-authority " + folder.path("ca.pem") +
                                 ": no such file. Put the file there or correct the path.");
    EXPECT_THAT(fault("garbage"), HasSubstr("holds no PEM certificate"));
    EXPECT_THAT(fault("folder"), HasSubstr("this is a folder"));
    EXPECT_THAT(fault("cert"), HasSubstr("user entry \"cert\" in " + file + ": client-certificate"));
    EXPECT_THAT(fault("nope"), HasSubstr("there is no context \"nope\""));
}

TEST(Kubeconfig, without_any_file_or_context_the_files_looked_at_are_named) {
    const auto config = Kubeconfig::load({"/nope/config"});
    ASSERT_TRUE(config);
    const auto identity = resolveIdentity(*config, "", "", {});
    ASSERT_FALSE(identity);
    EXPECT_THAT(identity.error().text(), HasSubstr("/nope/config: no such file. Put it there, or name another with --kubeconfig"));
    const auto unset = resolveIdentity(parsed("clusters: [{name: c, cluster: {server: 'https://h'}}]\n"
                                              "contexts: [{name: x, context: {cluster: c}}]\n"),
                                       "", "", {});
    ASSERT_FALSE(unset);
    EXPECT_THAT(unset.error().text(), HasSubstr("no current context is set. Choose one with --context or kubectl config use-context: \"x\"."));
}

TEST(Kubeconfig, an_address_is_read_as_client_go_reads_it) {
    const auto identity = [](const std::string& server, const std::string& more = "") {
        return resolveIdentity(parsed("clusters: [{name: c, cluster: {server: \"" + server + "\"" + more + "}}]\n" +
                                      "users: [{name: u, user: {token: t, as: boss, as-uid: \"7\", as-groups: [g, h], "
                                      "as-user-extra: {example.com/scope: [a]}}}]\n"
                                      "contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n"),
                               "", "", {});
    };
    const auto path = identity("https://[::1]:8443/k8s/clusters/c-1/");
    ASSERT_TRUE(path);
    EXPECT_EQ(path->endpoint.host, "::1");
    EXPECT_EQ(path->endpoint.port, 8443);
    EXPECT_EQ(path->basePath, "/k8s/clusters/c-1");
    EXPECT_EQ(path->info.server, "https://[::1]:8443/k8s/clusters/c-1");
    EXPECT_EQ(path->info.ns, "default");
    EXPECT_TRUE(path->info.tlsVerified);
    using Header = std::pair<std::string, std::string>;
    EXPECT_EQ(path->impersonation, (std::vector<Header>{{"Impersonate-User", "boss"},
                                                        {"Impersonate-Uid", "7"},
                                                        {"Impersonate-Group", "g"},
                                                        {"Impersonate-Group", "h"},
                                                        {"Impersonate-Extra-example.com%2Fscope", "a"}}));
    const auto plain = identity("host.example:8080");
    ASSERT_TRUE(plain);
    EXPECT_FALSE(plain->endpoint.tls);
    EXPECT_FALSE(plain->sendCredentials); // never over plain http
    const auto bare = identity("host.example", ", insecure-skip-tls-verify: true");
    ASSERT_TRUE(bare);
    EXPECT_TRUE(bare->endpoint.tls);
    EXPECT_EQ(bare->endpoint.port, 443);
}

TEST(Kubeconfig, in_a_pod_the_service_account_is_the_context) {
    const test::Folder folder;
    folder.write("token", "T1\n");
    folder.write("namespace", "team-a");
    const std::map<std::string, std::string> environment{{"KUBERNETES_SERVICE_HOST", "fd00::1"},
                                                         {"KUBERNETES_SERVICE_PORT", "443"}};
    const auto config = Kubeconfig::inCluster(environment, folder.path());
    ASSERT_TRUE(config);
    EXPECT_EQ(config->currentContext(), "in-cluster");
    EXPECT_EQ(config->contexts()[0].ns, "team-a");
    EXPECT_EQ(config->contexts()[0].server, "https://[fd00::1]:443");
    EXPECT_EQ(config->impl()->user("service-account")->tokenFile, folder.path("token"));
    EXPECT_FALSE(Kubeconfig::inCluster({}, folder.path()));
}

} // namespace
} // namespace alidade::cluster
