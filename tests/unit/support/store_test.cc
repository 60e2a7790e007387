// Ids, stores, columns and interning.
#include "support/store.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "llvm/ADT/DenseMap.h"
#include "support/intern.h"

namespace spmdc {
namespace {

using WordId = Id<struct WordTag>;
using ::testing::ElementsAre;

struct Word {
  std::string text;
  friend bool operator==(const Word&, const Word&) = default;
  // Poor on purpose: words of one length collide.
  friend size_t hash_value(const Word& word) { return word.text.size(); }
};

TEST(Id, NoneIsNotValid) {
  EXPECT_FALSE(WordId().valid());
  EXPECT_EQ(WordId::None(), WordId());
  EXPECT_TRUE(WordId{0}.valid());
  EXPECT_LT(WordId{1}, WordId{2});
}

TEST(Id, KeysADenseMap) {
  llvm::DenseMap<WordId, int> map;
  for (int32_t i = -1; i < 100; ++i) {
    map[WordId{i}] = i;
  }
  EXPECT_EQ(map.size(), 101u);
  EXPECT_EQ(map.lookup(WordId{42}), 42);
  EXPECT_EQ(map.lookup(WordId::None()), -1);
}

TEST(Store, GivesIdsInOrder) {
  Store<WordId, std::string> store;
  EXPECT_TRUE(store.empty());
  WordId a = store.Add("a");
  WordId b = store.Add("b");
  EXPECT_EQ(a.index, 0);
  EXPECT_EQ(store[b], "b");
  store[a] = "c";
  EXPECT_THAT(std::vector<std::string>(store.begin(), store.end()), ElementsAre("c", "b"));
  std::vector<int32_t> indices;
  for (WordId id : store.ids()) {
    indices.push_back(id.index);
  }
  EXPECT_THAT(indices, ElementsAre(0, 1));
}

TEST(Store, AForeignIdIsAnInternalError) {
  Store<WordId, int> store;
  EXPECT_EXIT(store[WordId{0}], ::testing::ExitedWithCode(70), "internal error: store.h:[0-9]+: id of another store");
  EXPECT_EXIT(store[WordId::None()], ::testing::ExitedWithCode(70), "id of another store");
}

TEST(IdMap, GrowsWithItsDefault) {
  IdMap<WordId, int> column(2, 5);
  column[WordId{4}] = 1;
  EXPECT_EQ(column.size(), 5u);
  EXPECT_EQ(column.Get(WordId{3}), 5);
  EXPECT_EQ(column.Get(WordId{4}), 1);
  EXPECT_EQ(column.Get(WordId{99}), 5);
  EXPECT_EQ(column.Get(WordId::None()), 5);
}

TEST(Interner, EqualValuesGetEqualIds) {
  Interner<WordId, Word> words;
  WordId ab = words.Intern({"ab"});
  WordId cd = words.Intern({"cd"});
  EXPECT_NE(ab, cd);
  EXPECT_EQ(words.Intern({"ab"}), ab);
  EXPECT_EQ(words.size(), 2u);
  const Word& first = words[ab];
  for (int i = 0; i < 1000; ++i) {
    words.Intern({std::to_string(i)});
  }
  EXPECT_EQ(&words[ab], &first);
}

}  // namespace
}  // namespace spmdc
