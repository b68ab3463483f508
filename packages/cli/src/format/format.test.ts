import type { ToolExecution } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { plain } from "../terminal/style.ts";
import { formatDuration } from "./duration.ts";
import { displayWidth, formatTable } from "./table.ts";
import { formatToolLine } from "./tool-line.ts";
import { formatUsage } from "./usage-line.ts";

const ended = (fields: Partial<Exclude<ToolExecution, { state: "running" }>>, content = "Read README.md") =>
  formatToolLine(
    content,
    {
      toolName: "Read",
      toolUseId: "t1",
      input: {},
      output: "",
      summary: { action: "read", subject: "README.md", state: "completed" },
      state: "completed",
      isError: false,
      durationMs: 12,
      ...fields,
    },
    plain,
  );

const command = (exitCode: number | null) =>
  ({ type: "commandOutput", data: { command: "ls nothing", stdout: "", stderr: "", exitCode } }) as const;

describe("formatToolLine", () => {
  it("is one line with the summary and the duration", () => {
    expect(ended({})).toBe("✓ Read README.md  12 ms");
    expect(ended({}, "Ran a\nb")).toBe("✓ Ran a⏎b  12 ms");
  });

  it("names the exit code of a command that failed", () => {
    expect(ended({ state: "failed", isError: true, details: command(2), durationMs: 8 }, "Ran ls nothing")).toBe(
      "✗ Ran ls nothing  exit 2  8 ms",
    );
  });

  it.each([
    [{ state: "failed", isError: true }, "failed"],
    [{ state: "completed", isError: true }, "failed"],
    [{ state: "denied", isError: true }, "denied"],
    [{ state: "interrupted", isError: true }, "interrupted"],
    [{ state: "timed-out", isError: true, details: command(null) }, "timed out"],
  ] as const)("shows how %o ended", (fields, word) => {
    expect(ended(fields)).toBe(`✗ Read README.md  ${word}  12 ms`);
  });

  it("[Q17] cuts a long summary between code points", () => {
    const line = ended({}, "🧵".repeat(500));
    expect(line.isWellFormed()).toBe(true);
    expect(line).toContain("🧵…  12 ms");
  });
});

describe("formatDuration", () => {
  it.each([
    [0, "0 ms"],
    [999, "999 ms"],
    [1_000, "1.0 s"],
    [59_949, "59.9 s"],
    [59_960, "1 min 0 s"],
    [185_000, "3 min 5 s"],
    [3_600_000, "1 h 0 min"],
    [7_290_000, "2 h 2 min"],
  ])("%i ms is %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe("formatUsage", () => {
  it("shows what was reported and nothing else", () => {
    expect(formatUsage({ inputTokens: 1_200, outputTokens: 340, costUsd: 1.234 })).toBe("1,200 tokens in, 340 out, $1.23");
    expect(formatUsage({ outputTokens: 5 })).toBe("5 tokens out");
    expect(formatUsage({})).toBeUndefined();
  });
});

describe("formatTable", () => {
  it("aligns columns by their width on a terminal", () => {
    expect(
      formatTable(
        ["A", "B"],
        [
          ["中文", "x"],
          ["abc", "y"],
        ],
      ),
    ).toBe("A     B\n中文  x\nabc   y");
    expect(displayWidth("é👩‍👩‍👧中a")).toBe(6);
  });
});
