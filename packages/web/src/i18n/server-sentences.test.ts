import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { en } from "./en.ts";
import { zhCN } from "./zh-cn.ts";

/** The sentences of a source file that is not ours to import, each part that is filled in as `x`. */
function readSentences(file: string): string[] {
  const source = readFileSync(new URL(`../../../agents/src/${file}`, import.meta.url), "utf8");
  const texts = [...source.matchAll(/"([^"\n]*)"|`([^`\n]*)`/g)].map(
    ([, plain, template]) => plain ?? template?.replace(/\$\{[^}]*\}/g, "x") ?? "",
  );
  return texts.filter((text) => /^\S+ .*\.$/.test(text));
}

describe("sentences of the server in Chinese", () => {
  it.each([
    ["grants/dangerous-commands.ts", 13],
    ["workspace/protected-paths.ts", 2],
  ])("[E10] every reason to ask in %s", (file, least) => {
    const sentences = readSentences(file);
    expect(sentences.length).toBeGreaterThanOrEqual(least);
    expect(sentences.filter((sentence) => zhCN.sentence(sentence) === sentence)).toEqual([]);
  });

  it.each([
    ["Codex is not installed. Run: npm install -g @openai/codex", "Codex 尚未安装。请运行：npm install -g @openai/codex"],
    [
      "Claude Code 1.0.1 is too old: Skein needs 1.0.128 or newer. Run: claude update",
      "Claude Code 1.0.1 版本过旧：Skein 需要 1.0.128 或更高版本。请运行：claude update",
    ],
    [
      "Add its key in the settings, or set GEMINI_API_KEY before starting Skein.",
      "请在设置中添加密钥，或在启动 Skein 前设置 GEMINI_API_KEY。",
    ],
    ["What an agent wrote.", "What an agent wrote."],
  ])("%s", (stored, said) => {
    expect(zhCN.sentence(stored)).toBe(said);
    expect(en.sentence(stored)).toBe(stored);
  });
});
