import { expect, it } from "vitest";
import { cutMiddle } from "./cut-middle.ts";

it("keeps the beginning and the end of a long path, and never half of a character", () => {
  expect(cutMiddle("src/a.ts", 20)).toBe("src/a.ts");
  const cut = cutMiddle("packages/web/src/approvals/approval-card.tsx", 30);
  expect(cut).toHaveLength(30);
  expect(cut).toMatch(/^packages\/.*….*approval-card\.tsx$/);
  expect(cutMiddle("😀".repeat(40), 21).isWellFormed()).toBe(true);
});
