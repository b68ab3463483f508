import type { AttemptDiff } from "@skein/contracts";
import { expect, it } from "vitest";
import { formatCommitQuestion, toCommitMessage } from "./commit-message.ts";

it.each([
  ["Add a flag", "Add a flag"],
  ["\n```text\nAdd a flag\n\nIt is off.\n```\n", "Add a flag\n\nIt is off."],
  ['"Add a flag"\nIt is off.  \r\nBy default.', "Add a flag\n\nIt is off.\nBy default."],
  ["Add \u001b[31ma  flag\u0007", "Add [31ma flag"],
  [" \n ", ""],
])("[G2] the answer %j is the commit message %j", (answer, message) => expect(toCommitMessage(answer)).toBe(message));

it("[G2] the subject has at most 72 characters, the body is bounded", () => {
  const [subject = "", empty, body = ""] = toCommitMessage(`${"😀 word ".repeat(50)}\n\n${"b".repeat(5000)}`).split("\n");
  expect([[...subject].length, subject.at(-1), empty, body.length]).toEqual([72, "…", "", 2000]);
});

const file = (filePath: string, lines: string[]) =>
  ({
    ...{ filePath, change: "updated", additions: lines.length, deletions: 0, binary: false },
    hunks: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: lines.length, lines }],
  }) as unknown as AttemptDiff["files"][number];

it("[G2, X11] the question has title, files and diff, without secrets, also where it is truncated", () => {
  const secret = "sk-abcdefghijklmnop";
  const redact = (text: string) => text.replaceAll(secret, "[redacted]");
  const short = formatCommitQuestion({ title: "Add\na key", files: [file("a.ts", [`+${secret}`])], redact });
  expect(short).toBe("Task: Add a key\n\nFiles:\na.ts (updated, +1 -0)\n\nDiff:\n--- a.ts\n@@ -1,0 +1,1 @@\n+[redacted]");
  // the limit of a file is inside a secret, wherever that begins
  for (const length of [5940, 5950, 5960, 5970]) {
    const cut = formatCommitQuestion({ title: "Key", files: [file("a.ts", [`+${"x".repeat(length)}${secret}`, "+end"])], redact });
    expect(cut).not.toContain("sk-");
  }
});

it("[G2] the question is bounded, whatever has changed", () => {
  const files = Array.from({ length: 500 }, (_, index) =>
    file(
      `src/file-${index}.ts`,
      Array.from({ length: 500 }, () => "+line of text"),
    ),
  );
  const question = formatCommitQuestion({ title: "t".repeat(5000), files, redact: (text) => text });
  expect(question.length).toBeLessThan(60_000);
  expect(question).toContain("… and 300 more files");
});
