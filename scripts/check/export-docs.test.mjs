import { describe, expect, it } from "vitest";
import { root } from "../setup/repository.mjs";
import { findUndocumented, findUndocumentedOf } from "./export-docs.mjs";

describe("doc comments of exports", () => {
  it("finds exports without one, through re-exports, and knows the types of documented schemas", () => {
    const files = {
      "/a/index.ts": 'export { b, type C, type D, e, F as G } from "./b.ts";\nexport * from "./h.ts";',
      "/a/b.ts": [
        "/** What it does. */",
        "export function b() {}",
        "/** One of them. */",
        "const cSchema = z.enum([]);",
        "export type C = z.infer<typeof cSchema>;",
        "const dSchema = z.enum([]);",
        "export type D = z.infer<typeof dSchema>;",
        "/* not a doc comment */",
        "export const e = 1;",
        "/**",
        " * Several lines.",
        " */",
        "export interface F {}",
        "export const notListed = 1;",
      ].join("\n"),
      "/a/h.ts": "/** Another. */\n\nexport async function h() {}",
    };
    expect(findUndocumentedOf("/a/index.ts", (file) => files[file]).map(({ name }) => name)).toEqual(["D", "e", "h"]);
  });

  it("the packages that are read as an API page have one for each export", () => {
    expect(findUndocumented(root)).toEqual([]);
  });
});
