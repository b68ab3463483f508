import type { JsonValue } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { formatToolSummary } from "../summaries/format-tool-summary.ts";
import { parseApplyPatch } from "./apply-patch-text.ts";
import { parseUnifiedPatch } from "./parse-unified-patch.ts";
import { unwrapShellCommand } from "./shell-command.ts";
import type { ToolObservation } from "./tool-processor.ts";
import { presentTool } from "./tool-registry.ts";

function present(toolName: string, input: JsonValue, more: Partial<ToolObservation> = {}) {
  return presentTool({ toolName, input, output: "", isError: false, state: "completed", ...more });
}

const patch = `*** Begin Patch
*** Add File: new.txt
+one
+two
*** Update File: old.txt
*** Move to: moved.txt
@@ function a
 keep
-gone
+here
*** Delete File: dead.txt
*** End Patch`;

describe("changes of files", () => {
  it("[T7] an apply_patch text shows every file it touches", () => {
    expect(present("apply_patch", { input: patch })).toEqual({
      summary: { action: "update", subject: "new.txt, old.txt, dead.txt", count: 3, state: "completed" },
      details: {
        type: "diff",
        data: {
          filePath: "new.txt",
          change: "created",
          scope: "file",
          oldContent: "",
          newContent: "one\ntwo\n",
          hunks: [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 2, lines: ["+one", "+two"] }],
          otherFiles: [
            {
              ...{ filePath: "moved.txt", change: "renamed", hunks: [], patch: "@@ function a\n keep\n-gone\n+here" },
              ...{ scope: "snippet", oldContent: "keep\ngone\n", newContent: "keep\nhere\n" },
            },
            { filePath: "dead.txt", change: "deleted", hunks: [], scope: "snippet", oldContent: "", newContent: "" },
          ],
        },
      },
    });
  });

  it("[T7] a patch without line numbers is shown as a patch, one with them as hunks", () => {
    const change = (diff: string) =>
      present("file_change", {}, { structured: { changes: [{ path: "/a", kind: "update", diff }] } }).details;
    expect(change("@@ -4 +4,2 @@\n-a\n+b\n+c\n")).toMatchObject({
      data: { hunks: [{ oldStart: 4, oldLines: 1, newStart: 4, newLines: 2, lines: ["-a", "+b", "+c"] }] },
    });
    expect(change("@@\n-a\n+b\n")).toMatchObject({ data: { hunks: [], patch: "@@\n-a\n+b\n" } });
  });

  it("[T7] files whose change is not reported are listed", () => {
    const changes = [{ path: "/a", kind: "add" }];
    expect(present("file_change", { changes }, { structured: { changes } })).toEqual({
      summary: { action: "write", subject: "/a", state: "completed" },
      details: { type: "fileList", data: ["/a"] },
    });
  });

  it("[T7] a change that failed shows no diff", () => {
    const failed = { state: "failed", isError: true } as const;
    const { summary, ...more } = present("apply_patch", { input: patch }, failed);
    expect([formatToolSummary(summary), more]).toEqual(["Could not update 3 files: new.txt, old.txt, dead.txt", {}]);
  });

  it("[T8] one file is named with what happens to it", () => {
    const summary = (kind: string, state: "running" | "completed", movePath?: string) =>
      formatToolSummary(
        present("file_change", { changes: [{ path: "/a", kind, ...(movePath === undefined ? {} : { movePath }) }] }, { state }).summary,
      );
    expect([summary("add", "running"), summary("delete", "completed"), summary("update", "completed", "/b")]).toEqual([
      "Writing /a",
      "Deleted /a",
      "Moved /b",
    ]);
  });
});

describe("patches", () => {
  it.each([
    ["lines that contradict the header", "@@ -1,2 +1 @@\n-a\n"],
    ["a line that is neither kept, added nor removed", "@@ -1 +1 @@\nnonsense\n"],
    ["no header", "-a\n+b"],
  ])("[T7] %s are no hunks", (_, text) => {
    expect(parseUnifiedPatch(text)).toBeUndefined();
  });

  it("[T7] reads several hunks, a missing last line end and stripped empty lines", () => {
    const text = "--- a\n+++ b\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n\\ No newline at end of file\n@@ -9 +9 @@\n-x\n+y";
    expect(parseUnifiedPatch(text)).toEqual([
      { oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [" a", " ", "-b", "+c"] },
      { oldStart: 9, oldLines: 1, newStart: 9, newLines: 1, lines: ["-x", "+y"] },
    ]);
  });

  it("[Q13] a text that is not a patch is ignored", () => {
    expect(parseApplyPatch("hello\n*** Update File:\n")).toEqual([]);
  });
});

describe("commands", () => {
  it.each([
    ["/bin/bash -lc 'cat hello.txt'", "cat hello.txt"],
    ["bash -lc ls", "ls"],
    [`bash -lc 'echo '"'"'hi'"'"' there'`, "echo 'hi' there"],
    ['/bin/zsh -lc "echo \\"hi\\""', 'echo "hi"'],
    ["bash -lc 'a' 'b'", "bash -lc 'a' 'b'"],
    ["bash script.sh", "bash script.sh"],
    ["echo ok", "echo ok"],
  ])("[T8] %s is shown as %s", (command, expected) => {
    expect(unwrapShellCommand(command)).toBe(expected);
  });

  it("[T7] the exit code is the one that was reported; Gemini CLI reports none", () => {
    expect(
      present("command_execution", { command: "x" }, { structured: { exitCode: 3 }, state: "failed", isError: true }).details,
    ).toMatchObject({
      data: { exitCode: 3 },
    });
    expect(present("run_shell_command", { command: "x" }).details).toMatchObject({ data: { exitCode: null } });
    expect(present("shell", { command: ["bash", "-lc", "ls -1"] }).summary).toMatchObject({ action: "run", subject: "ls -1" });
  });
});

describe("aliases of the same tools", () => {
  it.each<[string, JsonValue, string]>([
    ["read_file", { file_path: "/a" }, "Read /a"],
    ["read", { filePath: "/a" }, "Read /a"],
    ["write_file", { file_path: "/a", content: "x" }, "Created /a"],
    ["write", { filePath: "/a", content: "x" }, "Created /a"],
    ["replace", { file_path: "/a", old_string: "x", new_string: "y" }, "Updated /a"],
    ["edit", { filePath: "/a", oldString: "x", newString: "y" }, "Updated /a"],
    ["list_directory", { dir_path: "/a" }, "Listed /a"],
    ["search_file_content", { pattern: "x" }, "Searched for x"],
    ["web_fetch", { prompt: "see https://a.example" }, "Fetched see https://a.example"],
    ["webfetch", { url: "https://a.example" }, "Fetched https://a.example"],
    ["fetch", { title: "https://a.example" }, "Fetched https://a.example"],
    ["google_web_search", { query: "skein" }, "Searched the web for skein"],
    ["web_search", { query: "skein" }, "Searched the web for skein"],
    ["save_memory", { fact: "likes tea" }, "Remembered likes tea"],
    [
      "write_todos",
      {
        todos: [
          { description: "a", status: "completed" },
          { description: "b", status: "pending" },
        ],
      },
      "Updated todo list (1/2 done)",
    ],
    ["update_plan", { plan: [{ step: "a", status: "pending" }] }, "Updated todo list (0/1 done)"],
    ["todowrite", { todos: [{ content: "a", status: "completed" }] }, "Updated todo list (1/1 done)"],
    ["task", { description: "look around", prompt: "p" }, "Ran subagent: look around"],
    ["execute", { command: "ls" }, "Ran ls"],
    ["search", { title: "'*.txt'" }, "Searched for *.txt"],
    ["search", { title: "Search for TODO in src" }, "Search for TODO in src"],
    ["search", { title: "." }, "Searched files"],
    ["glob", { title: "'*.txt'" }, "Looked for files matching *.txt"],
    ["read", { title: "Read **/*.ts" }, "Read **/*.ts"],
    ["read", { title: "" }, "Read a file"],
    ["file_change", { title: "Format the code" }, "Format the code"],
    ["file_change", { title: "" }, "Updated a file"],
    ["exec_command", { title: "Read file '/a'", path: "/a" }, "Read /a"],
    ["exec_command", { title: "List files" }, "List files"],
    ["think", { title: "Consider" }, "Consider"],
    ["think", { title: "" }, "Thought"],
    ["switch_mode", {}, "Switched the mode"],
    ["other", { title: "" }, "Called a tool"],
    ["skill", { name: "pdf" }, "Used skill pdf"],
    ["other", { title: "Set 3 todo(s)" }, "Set 3 todo(s)"],
  ])("[T8] %s", (name, input, summary) => {
    expect(formatToolSummary(present(name, input).summary)).toBe(summary);
  });

  it("[T7] text about matches is not mistaken for file names", () => {
    expect(present("search_file_content", { pattern: "x" }, { output: "Found 3 matches" }).details).toBeUndefined();
  });

  it("[T7] a file whose content is not reported is not shown as empty", () => {
    expect(present("read_file", { file_path: "/a" }).details).toBeUndefined();
  });
});
