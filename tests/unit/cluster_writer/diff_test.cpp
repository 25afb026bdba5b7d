// SPDX-License-Identifier: GPL-3.0-or-later
#include "diff.hpp"

#include <map>

#include <gmock/gmock.h>

namespace alidade::cluster::writer {
namespace {

using guard::FieldDiff;
using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Difference diffOf(const json& before, const json& intended, const json& after) {
    const guard::Redactor redactor;
    return difference(before, intended, after, redactor);
}
std::map<std::string, FieldDiff> byPointer(const Difference& difference) {
    std::map<std::string, FieldDiff> out;
    for (const FieldDiff& f : difference.fields)
        out[f.pointer] = f;
    return out;
}

TEST(Diff, C77_secrets_are_masked_and_still_show_what_changed) {
    const json before = json::parse(
        R"({"kind":"Secret","metadata":{"name":"s","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"data\":{\"a\":\"b2xk\"}}"}},
        "data":{"a":"b2xk","b":"c2FtZQ==","same":"c2FtZS12YWx1ZQ=="}})");
    json after = before;
    after["data"]["a"] = "bmV3";
    after["data"].erase("b");
    after["data"]["c"] = "YWRkZWQ=";
    const Difference result = diffOf(before, after, after);
    auto fields = byPointer(result);
    ASSERT_EQ(fields.size(), 3U);
    EXPECT_EQ(fields["/data/a"].kind, FieldDiff::Kind::Changed);
    EXPECT_NE(fields["/data/a"].before, fields["/data/a"].after);
    EXPECT_THAT(fields["/data/a"].before, HasSubstr("[masked:"));
    EXPECT_EQ(fields["/data/b"].kind, FieldDiff::Kind::Removed);
    EXPECT_EQ(fields["/data/c"].kind, FieldDiff::Kind::Added);
    for (const char* value : {"b2xk", "bmV3", "c2FtZQ", "YWRkZWQ"}) {
        EXPECT_THAT(result.unified, Not(HasSubstr(value)));
        for (const auto& [pointer, field] : fields)
            EXPECT_THAT(field.before + field.after, Not(HasSubstr(value))) << pointer;
    }
    EXPECT_THAT(result.unified, HasSubstr("- "));
}

TEST(Diff, C77_noise_is_left_out_and_what_the_server_changed_is_marked) {
    const json before = json::parse(
        R"({"metadata":{"name":"w","resourceVersion":"1","generation":1,"managedFields":[{"manager":"a"}]},"spec":{"replicas":1,"template":{"image":"a:1"}},"status":{"ready":1}})");
    json intended = before;
    intended["spec"]["template"]["image"] = "a:2";
    json after = intended;
    after["metadata"]["resourceVersion"] = "2";
    after["metadata"]["generation"] = 2;
    after["metadata"]["managedFields"] = json::array();
    after["status"]["ready"] = 0;
    after["spec"]["defaulted"] = true;
    after["spec"]["replicas"] = 7;
    auto fields = byPointer(diffOf(before, intended, after));
    ASSERT_EQ(fields.size(), 3U);
    EXPECT_EQ(fields["/spec/template/image"].kind, FieldDiff::Kind::Changed);
    EXPECT_EQ(fields["/spec/template/image"].before, "a:1");
    EXPECT_EQ(fields["/spec/template/image"].after, "a:2");
    EXPECT_EQ(fields["/spec/defaulted"].kind, FieldDiff::Kind::AddedByServer);
    EXPECT_EQ(fields["/spec/replicas"].kind, FieldDiff::Kind::AddedByServer);
}

TEST(Diff, the_text_form_folds_what_did_not_change) {
    json before{{"spec", {{"image", "a:1"}}}};
    for (int i = 0; i < 40; ++i)
        before["labels"]["key-" + std::to_string(100 + i)] = "v";
    json after = before;
    after["spec"]["image"] = "a:2";
    const Difference result = diffOf(before, after, after);
    EXPECT_THAT(result.unified, HasSubstr("-   image: a:1\n+   image: a:2\n"));
    EXPECT_THAT(result.unified, HasSubstr("unchanged lines"));
    EXPECT_LT(std::count(result.unified.begin(), result.unified.end(), '\n'), 12);
    EXPECT_THAT(diffOf(before, before, before).unified, IsEmpty());
    EXPECT_THAT(diffOf(before, before, before).fields, IsEmpty());
}

TEST(Diff, reads_like_yaml) {
    const json object =
        json::parse(R"({"a":{"b":[{"name":"x","n":1},{"name":"true"}]},"t":"l1\nl2","e":{},"s":"a: b"})");
    EXPECT_THAT(yamlLines(object), testing::ElementsAre("a:", "  b:", "  - n: 1", "    name: x", "  - name: \"true\"",
                                                        "e: {}", "s: \"a: b\"", "t: |", "  l1", "  l2"));
}

} // namespace
} // namespace alidade::cluster::writer
