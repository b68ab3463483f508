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
  it("[E5] every explanation of a model's failure", () => {
    const sentences = readSentences("failures/explain-model-failure.ts").map((sentence) => sentence.replaceAll(" x.", " (“x”)."));
    expect(sentences.length).toBeGreaterThanOrEqual(5);
    expect(sentences.filter((sentence) => zhCN.sentence(sentence) === sentence)).toEqual([]);
  });

  it.each([
    ["grants/dangerous-commands.ts", 13],
    ["workspace/protected-paths.ts", 2],
  ])("[E10] every reason to ask in %s", (file, least) => {
    const sentences = readSentences(file);
    expect(sentences.length).toBeGreaterThanOrEqual(least);
    expect(sentences.filter((sentence) => zhCN.sentence(sentence) === sentence)).toEqual([]);
  });

  it("[E5] every explanation of a download that failed", () => {
    const sentences = readSentences("acp/first-start.ts");
    expect(sentences.length).toBeGreaterThanOrEqual(3);
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
    [
      "Qwen Code's login was not accepted (“error: HTTP 401”). Log in with its own program, or check its API key.",
      "Qwen Code 的登录未被接受（“error: HTTP 401”）。Log in with its own program, or check its API key.",
    ],
    [
      "models.example.com did not accept Codex's API key (“401 no”). Check the key that is set for this address.",
      "models.example.com 拒绝了 Codex 的 API 密钥（“401 no”）。请检查为该地址设置的密钥。",
    ],
    [
      "Another agent works in this folder at the same time (attempt 2 of “Fix it”): each can overwrite the other's changes.",
      "另一个智能体正同时在此目录中工作（尝试 2，任务“Fix it”）：双方可能覆盖彼此的修改。",
    ],
    ["The model did not respond for 17 s.", "模型曾有 17 秒没有响应。"],
    ["What an agent wrote.", "What an agent wrote."],
  ])("%s", (stored, said) => {
    expect(zhCN.sentence(stored)).toBe(said);
    expect(en.sentence(stored)).toBe(stored);
  });
});
