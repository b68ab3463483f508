import { describe, expect, it } from "vitest";
import { en } from "./en.ts";
import { chooseLocale } from "./locales.ts";
import { zhCN } from "./zh-cn.ts";

describe("chooseLocale", () => {
  it("takes the stored choice first", () => expect(chooseLocale({ stored: "zh-CN", languages: ["en-US"] })).toBe("zh-CN"));
  it("takes the first language that has a dictionary", () =>
    expect(chooseLocale({ stored: null, languages: ["de-DE", "zh-TW", "en"] })).toBe("zh-CN"));
  it("ignores a stored value that is not a locale", () => expect(chooseLocale({ stored: "toString", languages: [] })).toBe("en"));
});

/** By name, without that of the export, which has the language in it. Functions are "". */
function listTexts(value: unknown, names: readonly string[] = []): Map<string, string> {
  if (typeof value !== "object" || value === null) return new Map([[names.slice(1).join("."), typeof value === "string" ? value : ""]]);
  return new Map(Object.entries(value).flatMap(([key, inner]) => [...listTexts(inner, [...names, key])]));
}

describe("the dictionaries", () => {
  it("count in the forms of their language", () => {
    expect([en.board.count(1), en.board.count(1200)]).toEqual(["1 task", "1,200 tasks"]);
    expect(zhCN.board.count(1)).toBe("1 个任务");
  });
  it("leave no English sentence in the Chinese one", () => {
    const english = (value: unknown): string[] =>
      typeof value === "string" ? [value] : typeof value === "object" && value !== null ? Object.values(value).flatMap(english) : [];
    const same = english(zhCN).filter((text) => english(en).includes(text));
    expect(same).toEqual(["Skein", "~/code/my-project"]);
  });
  it("of a page or feature have every text in both languages, and no English sentence in Chinese", () => {
    const english = import.meta.glob<Record<string, unknown>>("./en-*.ts", { eager: true });
    const chinese = import.meta.glob<Record<string, unknown>>("./zh-cn-*.ts", { eager: true });
    const words = new Set<string>();
    for (const [file, texts] of Object.entries(english)) {
      const [left, right] = [texts, chinese[file.replace("./en-", "./zh-cn-")] ?? {}].map((value) => listTexts(value));
      expect([file, [...(right?.keys() ?? [])].toSorted()]).toEqual([file, [...(left?.keys() ?? [])].toSorted()]);
      for (const [name, text] of left ?? []) if (text !== "" && text === right?.get(name)) words.add(text);
    }
    // names, commands and units
    for (const text of words) expect(text).not.toMatch(/[a-z]+ [a-z]+ [a-z]+/);
  });
});
