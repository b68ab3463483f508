import { describe, expect, it } from "vitest";
import { formatSettingsFile, parseSettingsFile } from "./settings-file.ts";

const settings = {
  preferences: { "skein.theme": "dark" },
  locale: "zh-CN",
  defaults: { agent: "codex", model: null, permissionMode: "ask" as const },
};

describe("the settings file", () => {
  it("is read as it was written", () => expect(parseSettingsFile(formatSettingsFile(settings))).toEqual(settings));
  it("has the settings of conversations, which older files have not", () => {
    const general = { mergeMode: "off" as const, compression: { auto: false }, systemPrompt: "Be brief." };
    expect(parseSettingsFile(formatSettingsFile({ ...settings, general }))).toEqual({ ...settings, general });
  });
  it.each(["", "{", "[]", '{"skein":"settings","version":2}', '{"preferences":{}}'])("%j is none", (text) =>
    expect(parseSettingsFile(text)).toBeNull(),
  );
});
