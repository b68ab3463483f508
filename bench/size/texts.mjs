/** Pseudo-random numbers from 0 to 1, always the same. */
export function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const syllables =
  "ba be bo da de di fa fe ga go ha he ka ko la le li lo ma me mi mo na ne no pa pe po ra re ri ro sa se si so ta te ti to va ve wa we".split(
    " ",
  );
const common =
  "the of to and a in is that for it on with as this be are not from by or an at we can if will which all one has was file test code line error value function return type string number list call name path build check result change user server state data read write run add use fix need first same when then there other new only into".split(
    " ",
  );
const verbs = "get set parse read write find list load save create update remove check format resolve open close merge count apply".split(
  " ",
);
const nouns =
  "User Email Address Task Order Invoice Token Session Path Name Config Cache Query Index Message Event Stream Buffer Page Route Header Model Column Report Filter Account Payment Customer Worker Socket".split(
    " ",
  );
const adjectives = "Strict Active Pending First Last Next Cached Remote Local Public Hidden Shared Empty Valid Latest".split(" ");
const folders = "src/api src/core src/models src/views lib/parsers lib/net packages/server packages/web tests/unit tests/integration".split(
  " ",
);
const chinese = [
  "修复登录页面的错误",
  "用户信息没有正确保存到数据库",
  "测试全部通过，可以合并",
  "先看一下配置文件的内容",
  "这个函数在并发时会返回旧的值",
  "重新运行构建脚本",
  "搜索结果的排序不对",
  "文件路径包含空格时会失败",
];

/** Texts of a code base's conversations: common and rare words (by Zipf's law), identifiers, paths, hashes, some Chinese. */
export function createTexts(random) {
  const pick = (values) => values[Math.floor(random() * values.length)];
  const number = (below) => Math.floor(random() * below);
  const rare = Array.from({ length: 20_000 }, () => Array.from({ length: 2 + number(4) }, () => pick(syllables)).join(""));
  const word = () => (random() < 0.6 ? common[Math.floor(common.length * random() ** 2)] : rare[Math.floor(rare.length * random() ** 4)]);
  const identifier = () => `${pick(verbs)}${random() < 0.5 ? pick(adjectives) : ""}${pick(nouns)}${random() < 0.6 ? pick(nouns) : ""}`;
  const file = () => `${pick(folders)}/${pick(rare)}-${pick(nouns).toLowerCase()}.ts`;
  const hash = () =>
    number(2 ** 32)
      .toString(16)
      .padStart(8, "0");
  const words = (count) => Array.from({ length: count }, word).join(" ");
  const sentence = () => {
    const kind = random();
    if (kind < 0.08) return `${pick(chinese)}${random() < 0.5 ? `，${pick(chinese)}` : ""}。`;
    if (kind < 0.4) return `${words(4 + number(6))} \`${identifier()}\` ${words(3 + number(5))}.`;
    if (kind < 0.5) return `${words(3)} ${file()}:${number(900)} ${words(4)}.`;
    return `${words(8 + number(10))}.`;
  };
  const outputLine = () => {
    const kind = random();
    if (kind < 0.5)
      return `${file()}:${number(900)}: ${pick(["const", "return", "await", "export function"])} ${identifier()}(${pick(rare)});`;
    if (kind < 0.7) return `commit ${hash()}${hash()} ${words(5)}`;
    return `  ok ${number(2000)} ${words(4)} (${number(90)} ms)`;
  };
  const sentences = Array.from({ length: 20_000 }, sentence);
  const lines = Array.from({ length: 20_000 }, outputLine);
  const several = (pool, count) => Array.from({ length: count }, () => pick(pool));
  return {
    pick,
    number,
    file,
    title: () => (random() < 0.15 ? pick(chinese) : `${words(3 + number(4))} ${identifier()}`),
    /** Each message has a unique term. */
    said: () => `${several(sentences, 1 + number(4)).join(" ")} ${identifier()}${number(100_000)}`,
    output: () => `${several(lines, 2 + number(7)).join("\n")}\n${hash()}`,
  };
}
