import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type CodeLine, tokenKinds } from "./code-token.ts";
import { loadGrammar } from "./load-grammar.ts";
import { prepareLanguage, tokenize } from "./tokenize.ts";

const code = "const greeting = `hello`; // a comment\nexport function greet(name: string) { return 'x'; }";

/** As on a machine so busy that every step of a cold grammar takes a second. */
function slowClock(): void {
  let now = 0;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => {
    now += 1000;
    return now;
  });
  onTestFinished(() => clock.mockRestore());
}

function kindsOf(line: CodeLine | undefined): string[] {
  return (line ?? []).filter(([, kind]) => kind !== 0).map(([text, kind]) => `${tokenKinds[kind]}:${text.trim()}`);
}

describe("tokenize", () => {
  it("colours whole lines, however slow the machine: a line cut short would spoil all after it", async () => {
    await prepareLanguage("typescript", loadGrammar);
    const usual = tokenize({ code, language: "typescript" });
    slowClock();
    expect(tokenize({ code, language: "typescript" })).toEqual(usual);
    expect(kindsOf(usual?.[0])).toContain("comment:// a comment");
    expect(kindsOf(usual?.[1])).toContain("keyword:return");
  });

  it("distinguishes added from removed lines of a diff", async () => {
    await prepareLanguage("diff", loadGrammar);
    const lines = tokenize({ code: "@@ -1 +1 @@\n-old\n+new\n same", language: "diff" });
    expect(lines?.slice(1).map((line) => tokenKinds[line[0]?.[1] ?? 0])).toEqual(["deleted", "inserted", "plain"]);
  });

  it("has no colours for an unknown language", async () => {
    await prepareLanguage("klingon", loadGrammar);
    expect(tokenize({ code, language: "klingon" })).toBeNull();
  });
});
