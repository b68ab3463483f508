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
});
