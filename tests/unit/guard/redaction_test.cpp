// SPDX-License-Identifier: GPL-3.0-or-later
#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "alidade/guard/payload.hpp"

using namespace alidade::guard;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

namespace {
const std::string jwt = "eyJ"
                        "hbGciOiJIUzI1NiJ9.eyJ"
                        "zdWIiOiJhIn0.c2lnbmF0dXJlLW9mLW5vYm9keQ";
const std::string key1 = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
const std::string key2 = "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu";
const std::string key3 = "Nt8mVQ0mbPpO2r4Yzk9Q==";

std::string redact(const std::string& text) { return Redactor().text(Raw<std::string>(text)).value(); }
std::string redact(const json& object) {
    const Redactor redactor;
    return Redactor::serialise(redactor.object(Raw<json>(object))).value();
}
std::ptrdiff_t linesOf(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }
void expectNoKey(const std::string& text) {
    const std::string out = redact(text);
    for (const std::string& line : {key1, key2, key3})
        EXPECT_THAT(out, Not(HasSubstr(line)));
    EXPECT_EQ(linesOf(out), linesOf(text));
}
std::string pem(const std::string& label = "PRIVATE KEY") {
    return "-----BEGIN " + label + "-----\n" + key1 + "\n" + key2 + "\n" + key3 + "\n-----END " + label + "-----";
}
std::string replaceAll(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}
std::string readCorpus(const std::string& name) {
    std::ifstream file("../../corpus/redaction/" + name);
    std::stringstream all;
    all << file.rdbuf();
    return replaceAll(all.str(), "^^", "");
}
} // namespace

TEST(Redaction, C49_secret_in_annotation_argument_and_env) {
    const json deployment = json::parse(R"({"kind":"Deployment","metadata":{"annotations":{
        "kubectl.kubernetes.io/last-applied-configuration":"{\"kind\":\"Deployment\",\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"a\",\"env\":[{\"name\":\"DB_PASSWORD\",\"value\":\"pw-Example-1\"}]}]}}}}\n"}},
        "spec":{"template":{"spec":{"containers":[{"name":"a","image":"reg.example.com/a:1","args":["sh","-c","curl -H 'Authorization: Bearer )" +
                                        jwt + R"(' http://x"],
        "env":[{"name":"DB_PASSWORD","value":"pw-Example-1"},{"name":"GREETING","value":"hello"}]}]}}}})");
    const std::string out = redact(deployment);
    EXPECT_THAT(out, Not(HasSubstr("pw-Example-1")));
    EXPECT_THAT(out, Not(HasSubstr(jwt)));
    for (const char* kept : {"DB_PASSWORD", "GREETING", "\"hello\"", "reg.example.com/a:1", "http://x", "curl -H"})
        EXPECT_THAT(out, HasSubstr(kept));

    const json secret = json::parse(R"({"kind":"Secret","metadata":{"name":"db","annotations":{
        "kubectl.kubernetes.io/last-applied-configuration":"{\"data\":{\"p\":\"cHctRXhhbXBsZS0x\"}}"}},"data":{"p":"cHctRXhhbXBsZS0x"}})");
    const std::string masked = redact(secret);
    EXPECT_THAT(masked, Not(HasSubstr("cHctRXhhbXBsZS0x")));
    EXPECT_THAT(masked, HasSubstr("\"p\""));
    EXPECT_THAT(masked, HasSubstr("\"db\""));
}

TEST(Redaction, C49_known_from_one_place_is_masked_everywhere_in_the_run) {
    const Redactor redactor;
    static_cast<void>(redactor.object(Raw<json>(json::parse(R"({"kind":"Secret","data":{"p":"cHctRXhhbXBsZS0x"}})"))));
    const std::string out = redactor.text(Raw<LogText>({"trying pw-Example-1 (cHctRXhhbXBsZS0x) on db"})).value();
    EXPECT_THAT(out, Not(HasSubstr("pw-Example-1")));
    EXPECT_THAT(out, Not(HasSubstr("cHctRXhhbXBsZS0x")));
    EXPECT_THAT(out, HasSubstr("on db"));
    // Also where it stands before the place that gives it away.
    EXPECT_THAT(redact(json::parse(R"({"a":"uses Zx-81kk","z":{"password":"Zx-81kk"}})")), Not(HasSubstr("Zx-81kk")));
}

TEST(Redaction, C51_a_whole_key) { expectNoKey("before\n" + pem() + "\ntext after"); }
TEST(Redaction, C51_b_key_without_its_end) {
    const std::string text = "-----BEGIN PRIVATE KEY-----\n" + key1 + "\n" + key2 + "\n" + key3 + "\ntext after\nmore";
    expectNoKey(text);
    EXPECT_THAT(redact(text), HasSubstr("text after\nmore"));
    // Cut anywhere inside.
    for (std::size_t cut = 28; cut < text.size() - 16; ++cut) {
        const std::string out = redact(text.substr(0, cut));
        EXPECT_THAT(out, Not(HasSubstr(key1.substr(0, 12)))) << cut;
        if (cut > 28 + 65 + 8) {
            EXPECT_THAT(out, Not(HasSubstr(key2.substr(0, 8)))) << cut;
        }
    }
}
TEST(Redaction, C51_c_key_in_a_json_string) {
    expectNoKey(R"({"key":")" + replaceAll(pem(), "\n", "\\n") + R"(\n","after":"text after"})");
    expectNoKey(R"({\"key\":\")" + replaceAll(pem(), "\n", "\\\\n") + R"(\"})");
    EXPECT_THAT(redact(R"({"key":")" + replaceAll(pem(), "\n", "\\n") + R"(\n","after":"text after"})"),
                HasSubstr("text after"));
}
TEST(Redaction, C51_d_key_on_one_line) {
    expectNoKey("x " + replaceAll(pem(), "\n", " ") + " text after");
    EXPECT_THAT(redact("x " + replaceAll(pem(), "\n", " ") + " text after"), HasSubstr("text after"));
}
TEST(Redaction, C51_e_key_behind_log_prefixes) {
    const std::string prefix = "2024-05-01T10:00:00Z app ";
    const std::string text = prefix + replaceAll(pem(), "\n", "\n" + prefix) + "\n" + prefix + "text after";
    expectNoKey(text);
    EXPECT_THAT(redact(text), HasSubstr("text after"));
    const std::string cut = text.substr(0, text.find(prefix + "-----END"));
    expectNoKey(cut);
    const std::string tail = text.substr(text.find(prefix + key1));
    expectNoKey(tail);
}
TEST(Redaction, C51_f_kinds_of_keys) {
    for (const char* label : {"EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "RSA PRIVATE KEY"})
        expectNoKey(pem(label));
}
TEST(Redaction, C51_g_key_in_base64) {
    const std::string encoded = "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1JSUV2UUlCQURBTkJna3Foa2lHOXcwQkFRRUZBQVNDQktjdw"
                                "otLS0tLUVORCBQUklWQVRFIEtFWS0tLS0tCg==";
    EXPECT_THAT(redact("client-key-data: " + encoded), Not(HasSubstr(encoded.substr(0, 40))));
    EXPECT_THAT(redact("blob " + encoded + " end"), Not(HasSubstr(encoded.substr(30, 40))));
    const std::string certificate =
        "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUV2UUlCQURBTkJna3Foa2lHOXcwQkFRRUZBQVNDQktjdwo=";
    EXPECT_THAT(redact("certificate-authority-data: " + certificate), HasSubstr(certificate));
}
TEST(Redaction, C51_h_only_the_tail_of_a_key) {
    const std::string text = key2 + "\n" + key3 + "\n-----END PRIVATE KEY-----\ntext after";
    expectNoKey(text);
    EXPECT_THAT(redact(text), HasSubstr("text after"));
    EXPECT_THAT(redact("an earlier line\n" + text), HasSubstr("an earlier line"));
}
TEST(Redaction, C51_i_a_certificate_may_stay) {
    const std::string text = pem("CERTIFICATE");
    EXPECT_EQ(redact(text), text);
}

TEST(Redaction, C53_kubeconfig_in_a_configmap) {
    const std::string out =
        redact(json{{"kind", "ConfigMap"},
                    {"data",
                     {{"kubeconfig", "users:\n- name: admin\n  user:\n    token: " + jwt +
                                         "\n    client-key-data: LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCg==\n"}}}});
    EXPECT_THAT(out, Not(HasSubstr(jwt)));
    EXPECT_THAT(out, Not(HasSubstr("LS0tLS1CRUdJTi")));
    EXPECT_THAT(out, HasSubstr("name: admin"));
    EXPECT_THAT(out, HasSubstr("client-key-data"));
}
TEST(Redaction, C53_service_account_file) {
    const std::string out =
        redact(json{{"kind", "ConfigMap"},
                    {"data",
                     {{"sa.json", R"({"type":"service_account","private_key":")" + replaceAll(pem(), "\n", "\\n") +
                                      R"(\n","client_email":"x@example.iam.gserviceaccount.com"})"}}}});
    EXPECT_THAT(out, Not(HasSubstr(key1.substr(0, 20))));
    EXPECT_THAT(out, HasSubstr("x@example.iam.gserviceaccount.com"));
}
TEST(Redaction, C53_custom_resource) {
    const std::string out = redact(json{{"kind", "Database"},
                                        {"spec", {{"auth", {{"password", "pw-Example-1"}, {"user", "app"}}}}},
                                        {"status", {{"token", jwt}, {"phase", "Ready"}}}});
    EXPECT_THAT(out, Not(HasSubstr("pw-Example-1")));
    EXPECT_THAT(out, Not(HasSubstr(jwt)));
    EXPECT_THAT(out, HasSubstr("\"app\""));
    EXPECT_THAT(out, HasSubstr("Ready"));
}
TEST(Redaction, C53_docker_config_and_audit_lines) {
    const std::string docker =
        redact(std::string(R"(wrote {"auths":{"reg.example.com":{"auth":"YXBwOnB3LUV4YW1wbGUtMQ=="}}})"));
    EXPECT_THAT(docker, Not(HasSubstr("YXBwOnB3")));
    EXPECT_THAT(docker, HasSubstr("reg.example.com"));
    const std::string audit = redact(std::string(
        R"({"kind":"Event","verb":"create","requestObject":{"kind":"Secret","data":{"p":"cHctRXhhbXBsZS0x"}}})"));
    EXPECT_THAT(audit, Not(HasSubstr("cHctRXhhbXBsZS0x")));
    EXPECT_THAT(audit, HasSubstr("\"verb\":\"create\""));
}
TEST(Redaction, C53_lists_and_documents) {
    const std::string list = redact(json::parse(
        R"({"kind":"List","items":[{"kind":"Secret","data":{"a":"YQ=="}},{"kind":"ConfigMap","data":{"mode":"production"}}]})"));
    EXPECT_THAT(list, Not(HasSubstr("YQ==")));
    EXPECT_THAT(list, HasSubstr("production"));
    EXPECT_THAT(redact(json::parse(R"({"kind":"SecretList","items":[{"data":{"a":"YQ=="}}]})")),
                Not(HasSubstr("YQ==")));
    const std::string yaml =
        redact(std::string("kind: ConfigMap\ndata:\n  mode: production\n---\nkind: Secret\ndata:\n  a: YQ==\n"));
    EXPECT_THAT(yaml, Not(HasSubstr("YQ==")));
    EXPECT_THAT(yaml, HasSubstr("mode: production"));
}

TEST(Redaction, C54_errors_stay_readable) {
    std::istringstream lines(readCorpus("benign.txt"));
    std::string line;
    for (int i = 0; i < 10 && std::getline(lines, line); ++i) {
        const Redacted<std::string> out = Redactor().text(Raw<std::string>(line));
        EXPECT_EQ(out.value(), line);
        EXPECT_TRUE(out.masks().empty());
    }
}

TEST(Redaction, corpus_recall_and_false_positives) {
    std::size_t secrets = 0, caught = 0, kept = 0, keeps = 0;
    std::istringstream cases(readCorpus("secret.jsonl"));
    for (std::string line; std::getline(cases, line);) {
        const json c = json::parse(line);
        const std::string text = c["text"].get<std::string>();
        const std::string out = redact(text);
        EXPECT_EQ(linesOf(out), linesOf(text)) << c["id"];
        for (const json& s : c["secrets"]) {
            ++secrets;
            const bool gone = out.find(s.get<std::string>()) == std::string::npos;
            caught += gone ? 1 : 0;
            if (!gone)
                std::cout << "missed " << c["id"] << ": " << out << "\n";
        }
        for (const json& k : c["keep"]) {
            ++keeps;
            const bool there = out.find(k.get<std::string>()) != std::string::npos;
            kept += there ? 1 : 0;
            if (!there)
                std::cout << "lost " << c["id"] << " " << k << ": " << out << "\n";
        }
        const std::string twice = redact(out);
        EXPECT_EQ(twice, out) << c["id"] << ": a second pass at the boundary changes nothing";
    }
    std::size_t benign = 0, changed = 0;
    std::istringstream lines(readCorpus("benign.txt"));
    for (std::string line; std::getline(lines, line); ++benign) {
        const std::string out = redact(line);
        if (out == line)
            continue;
        ++changed;
        std::cout << "over-masked: " << out << "\n";
    }
    const double recall = static_cast<double>(caught) / static_cast<double>(secrets);
    const double keep = static_cast<double>(kept) / static_cast<double>(keeps);
    const double falsePositives = static_cast<double>(changed) / static_cast<double>(benign);
    std::cout << "recall " << recall << " of " << secrets << ", context kept " << keep << " of " << keeps
              << ", false positives " << falsePositives << " of " << benign << "\n";
    ASSERT_GT(secrets, 120U);
    ASSERT_GT(benign, 120U);
    EXPECT_GE(recall, 0.99);
    EXPECT_GE(keep, 0.99);
    EXPECT_LE(falsePositives, 0.01);
}

TEST(Redaction, equal_values_have_equal_tags_in_a_run_and_others_in_the_next) {
    const Redactor redactor;
    const auto tag = [](const std::string& text) { return text.substr(text.rfind('#'), 9); };
    const std::string a = redactor.text(Raw<std::string>("DB_PASSWORD=pw-Example-1")).value();
    const std::string b = redactor.text(Raw<std::string>("postgres://u:pw-Example-1@db")).value();
    const std::string c = redactor.text(Raw<std::string>("DB_PASSWORD=pw-Example-2")).value();
    const json secret =
        redactor.object(Raw<json>(json::parse(R"({"kind":"Secret","data":{"p":"cHctRXhhbXBsZS0x"}})"))).value();
    EXPECT_EQ(tag(a), tag(b));
    EXPECT_EQ(tag(a), tag(secret["data"]["p"].get<std::string>()));
    EXPECT_NE(tag(a), tag(c));
    EXPECT_NE(tag(a), tag(redact(std::string("DB_PASSWORD=pw-Example-1"))));
}

TEST(Redaction, says_what_it_masked_and_where) {
    const auto text = Redactor().text(Raw<std::string>("ok\nDB_PASSWORD=pw-Example-1\n"));
    ASSERT_EQ(text.masks().size(), 1U);
    EXPECT_EQ(text.masks()[0].path, "line 2");
    EXPECT_EQ(text.masks()[0].rule, "key");
    const auto object = Redactor().object(Raw<json>(json::parse(R"({"spec":{"a/b":[{"password":"pw-Example-1"}]}})")));
    ASSERT_EQ(object.masks().size(), 1U);
    EXPECT_EQ(object.masks()[0].path, "/spec/a~1b/0/password");
}

TEST(Redaction, personal_data_can_be_left_on) {
    const Redactor redactor(Redactor::Options{.personalData = false});
    const std::string text = "jane@example.com from 203.0.113.9 \"GET / HTTP/1.1\"";
    EXPECT_EQ(redactor.text(Raw<std::string>(text)).value(), text);
    EXPECT_THAT(redact(text), Not(HasSubstr("jane@example.com")));
}

TEST(Redaction, arguments_in_lists) {
    const std::string out = redact(json::parse(
        R"({"containers":[{"command":["mysql","-h","db","-p","hunterhunter","shop"]},{"args":["--token","Zx-81kk","--port","80"]}]})"));
    EXPECT_THAT(out, Not(HasSubstr("hunterhunter")));
    EXPECT_THAT(out, Not(HasSubstr("Zx-81kk")));
    EXPECT_THAT(out, HasSubstr("\"shop\""));
    EXPECT_THAT(out, HasSubstr("--port"));
}

TEST(Redaction, odd_objects_do_no_harm) {
    json deep = "x";
    for (int i = 0; i < 5000; ++i)
        deep = json::array({std::move(deep)});
    EXPECT_THAT(redact(deep), HasSubstr("too-deep"));
    for (const char* text : {"null", "3", "\"a\"", "[]", "{}", R"({"kind":7,"data":3})",
                             R"({"kind":"Secret","data":null})", R"({"kind":"Secret","data":["a"]})",
                             R"({"kind":"Secret","data":{"a":null,"b":1,"c":{"d":"e"}}})", R"({"name":1,"value":"x"})"})
        EXPECT_NO_THROW(static_cast<void>(redact(json::parse(text)))) << text;
    json broken = json::object();
    broken["a"] = "\xff\xfe password=pw-Example-1";
    EXPECT_THAT(redact(broken), Not(HasSubstr("pw-Example-1")));
}

TEST(Redaction, a_large_text_stays_linear_whatever_is_in_it) {
    const std::vector<std::string> pieces{
        "password=",
        "\"data\":{",
        "-----BEGIN PRIVATE KEY-----\n",
        "://a:",
        "@",
        "kind: Secret\ndata:\n",
        "- data:\n  a: b\n",
        "eyJhbGci.",
        "\\\\\\\"",
        " -p docker ",
        "aGVsbG8gd29ybGQ",
        "4111 1111 ",
        "=",
        ":",
        "{{",
        "[masked:",
        "-----END PRIVATE KEY-----",
        "key: |\n  a\n",
        "2024-05-01T10:00:00Z stdout F level=info msg=\"handled\" path=/api/v1/orders status=200 dur=12ms\n"};
    for (const std::string& piece : pieces) {
        std::string text;
        while (text.size() < 256UL * 1024)
            text += piece;
        const auto begin = std::chrono::steady_clock::now();
        const std::string out = redact(text);
        const auto took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        EXPECT_EQ(linesOf(out), linesOf(text)) << piece;
        EXPECT_LT(took, 10.0) << piece; // an unoptimised, sanitised build on a busy machine; quadratic takes minutes
    }
}

TEST(Bound, cuts_after_redaction_on_a_line_and_says_so) {
    const Redactor redactor;
    std::string lines;
    for (int i = 0; i < 100; ++i)
        lines += "line é " + std::to_string(i) + "\n";
    const Bounded<std::string> cut = bound(redactor.text(Raw<std::string>(lines)), 400);
    EXPECT_TRUE(cut.cut());
    EXPECT_LE(cut.value().size(), 400U);
    EXPECT_THAT(cut.value(), HasSubstr("bytes more"));
    EXPECT_THAT(cut.value(), HasSubstr("\n\u2026"));
    const Bounded<std::string> whole = bound(redactor.text(Raw<std::string>("short")), 400);
    EXPECT_FALSE(whole.cut());
    EXPECT_EQ(whole.value(), "short");
    EXPECT_LE(bound(redactor.text(Raw<std::string>("ééééé")), 3).value().size(), 3U);
}
