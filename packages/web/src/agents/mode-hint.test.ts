import { describe, expect, it } from "vitest";
import { taskEn, taskZhCN } from "../i18n/task-text.ts";
import { listModes, toModeHint } from "./mode-hint.ts";

describe("[E10] what a permission mode means", () => {
  it.each([taskEn, taskZhCN])("depends on the agent", (text) => {
    const hints = (permissionControl?: "asks" | "sandbox" | "if-it-asks" | "none") =>
      (["ask", "accept-edits", "full"] as const).map((mode) => toModeHint(permissionControl && { permissionControl }, mode, text));
    const { askHint, acceptEditsHint, fullHint, neverAsks } = text.attempt;
    expect(hints("asks")).toEqual([askHint, acceptEditsHint, fullHint]);
    expect(hints()).toEqual(hints("asks"));
    expect(hints("none")).toEqual(Array(3).fill(neverAsks));
    expect(new Set([...hints("asks"), ...hints("sandbox"), ...hints("if-it-asks"), ...hints("none")]).size).toBeGreaterThanOrEqual(9);
  });

  it.each([taskEn, taskZhCN])("a plan mode that the agent does not have cannot be chosen, and says so", (text) => {
    const plan = (...input: Parameters<typeof listModes> extends [infer A, unknown, ...infer R] ? [A, ...R] : never) => {
      const [agent, session] = input;
      const found = listModes(agent, text, session).find(({ value }) => value === "plan");
      return [found?.disabled, found?.hint];
    };
    const { hints } = text.plan;
    const offered = { models: [], modes: [], hasPlanMode: true };
    expect(plan({ planSupport: "enforced" })).toEqual([false, hints.enforced]);
    expect(plan({ planSupport: "if-offered" })).toEqual([false, hints["if-offered"]]);
    expect(plan({ planSupport: "if-offered" }, { sessionOptions: offered })).toEqual([false, hints.own]);
    expect(plan({ planSupport: "if-offered" }, { sessionOptions: { ...offered, hasPlanMode: false } })).toEqual([true, hints.none]);
    expect(plan({ planSupport: "none" })).toEqual([true, hints.none]);
    expect(plan(undefined)).toEqual([true, hints.none]);
  });
});
