import { describe, expect, it } from "vitest";
import { fillTemplate, listVariables } from "./fill-template.ts";

describe("[L6] the variables of a template", () => {
  it("are listed once, in order, with dots and dashes; other braces are text", () => {
    const prompt = "Fix {{ issue.title }} in {{file}}: {{issue.title}} {{}} {{ 1x }} {single} {{{{a-b}}}}";
    expect(listVariables(null, prompt, "{{file}} {{last}}")).toEqual(["issue.title", "file", "a-b", "last"]);
  });

  it("are filled in one pass: what a value contains is text, also if it looks like a variable or a replacement", () => {
    const values = new Map([
      ["a", "{{b}} $& $1"],
      ["b", "B"],
    ]);
    expect(fillTemplate("{{a}}-{{ b }}-{{c}}-{{constructor}}", values)).toBe("{{b}} $& $1-B-{{c}}-{{constructor}}");
  });
});
