import { describe, expect, it } from "vitest";
import { en } from "../i18n/en.ts";
import { zhCN } from "../i18n/zh-cn.ts";
import { toModeHint } from "./mode-hint.ts";

describe("[E10] what a permission mode means", () => {
  it.each([en, zhCN])("depends on the agent", ({ attempt: text }) => {
    const hints = (permissionControl?: "asks" | "sandbox" | "if-it-asks" | "none") =>
      (["ask", "accept-edits", "full"] as const).map((mode) => toModeHint(permissionControl && { permissionControl }, mode, text));
    expect(hints("asks")).toEqual([text.askHint, text.acceptEditsHint, text.fullHint]);
    expect(hints()).toEqual(hints("asks"));
    expect(hints("none")).toEqual(Array(3).fill(text.neverAsks));
    expect(new Set([...hints("asks"), ...hints("sandbox"), ...hints("if-it-asks"), ...hints("none")]).size).toBeGreaterThanOrEqual(9);
  });
});
