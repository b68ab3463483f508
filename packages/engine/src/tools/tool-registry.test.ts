import { type JsonValue, toolDetailsSchema, toolSummarySchema } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatToolSummary } from "../summaries/format-tool-summary.ts";
import { shippedToolProcessors } from "./shipped-tool-processors.ts";
import type { SummaryDraft, ToolObservation } from "./tool-processor.ts";
import { createToolRegistry, presentTool } from "./tool-registry.ts";

function observe(toolName: string, input: JsonValue, more: Partial<ToolObservation> = {}): ToolObservation {
  return { toolName, input, output: "out", isError: false, state: "completed", ...more };
}

const failed = { isError: true, state: "failed", output: "Error: no such text" } as const;

describe("summaries", () => {
  it.each<[string, ToolObservation]>([
    ["Updated a.ts", observe("edit", { path: "a.ts", oldText: "x", newText: "y" })],
    ["Updated a.ts", observe("Edit", { file_path: "a.ts", old_string: "x", new_string: "y" })],
    ["Updating a.ts", observe("edit", { path: "a.ts" }, { state: "running" })],
    ["Could not update a.ts", observe("edit", { path: "a.ts" }, failed)],
    ["Updating a.ts was denied", observe("edit", { path: "a.ts" }, { state: "denied", isError: true })],
    ["Created a.ts", observe("write", { path: "a.ts", content: "" })],
    ["Created a.ts", observe("Write", { file_path: "a.ts", content: "" })],
    ["Updated a.ts", observe("write", { path: "a.ts", content: "" }, { structured: { created: false, oldContent: "x", newContent: "" } })],
    ["Read a.ts", observe("read", { path: "a.ts" })],
    ["Read a.ts", observe("Read", { file_path: "a.ts" })],
    ["Ran npm test", observe("bash", { command: "npm test" })],
    ["Ran npm test", observe("bash", { command: "npm test" }, failed)],
    ["Ran cat <<E a E", observe("Bash", { command: "cat <<E\n  a\nE\n" })],
    ["Running npm test timed out", observe("bash", { command: "npm test" }, { state: "timed-out", isError: true })],
    ["Found 2 files matching *.ts", observe("glob", { pattern: "*.ts" }, { structured: { files: ["a.ts", "b.ts"] } })],
    ["Found 1 file matching *.ts", observe("Glob", { pattern: "*.ts" }, { structured: { filenames: ["a.ts"], numFiles: 1 } })],
    ["Looked for files matching *.ts", observe("glob", { pattern: "*.ts" })],
    ["Looked for files", observe("glob", {})],
    ["Found 1 file matching *.txt", observe("glob", { pattern: "*.txt" }, { output: "Found 1 matching file(s)" })],
    ["Found no files matching *.ts", observe("glob", { pattern: "*.ts" }, { structured: { files: [] } })],
    ["Found 3 matches for x", observe("grep", { pattern: "x" }, { structured: { matches: [], total: 3 } })],
    ["Found no matches for x", observe("grep", { pattern: "x" }, { structured: { matches: [] } })],
    ["Searched files", observe("grep", {})],
    ["Searched the web", observe("web_search", {})],
    ["Listed src", observe("list", { path: "src" })],
    ["Listed files", observe("LS", {})],
    ["Listed files", observe("list", { path: "." })],
    ["Listed files", observe("list_directory", { title: "." })],
    ["Listed /", observe("list", { path: "/" })],
    [
      "Updated todo list (1/2 done)",
      observe("todo", {
        items: [
          { text: "a", status: "completed" },
          { text: "b", status: "pending" },
        ],
      }),
    ],
    ["Updated todo list (0/1 done)", observe("TodoWrite", { todos: [{ content: "a", status: "in_progress" }] })],
    ["Listed background commands", observe("jobs", {})],
    ["Read output of npm start", observe("job_output", { jobId: "job_1" }, { structured: { command: "npm start", stdout: "up" } })],
    ["Could not read output of job_9", observe("job_output", { jobId: "job_9" }, failed)],
    ["Stopped npm start", observe("job_stop", { jobId: "job_1" }, { structured: { command: "npm start" } })],
    ["Started npm start in the background", observe("bash", { command: "npm start" }, { structured: { backgroundTaskId: "job_1" } })],
    ["Asked: Which?", observe("ask", { questions: [{ question: "Which?", options: [] }] })],
    ["Fetched https://x.example", observe("web_fetch", { url: "https://x.example", prompt: "why" })],
    ["Called deploy", observe("deploy", null)],
    ["deploy failed", observe("deploy", null, failed)],
    ["deploy failed", observe("deploy", null, { isError: true })],
    ["Calling deploy", observe("deploy", null, { state: "running" })],
    ["Called a tool", observe(" ", null)],
    ["Updated a file", observe("edit", null)],
    ["Created a.ts", observe("edit", { filePath: "a.ts", oldString: "", newString: "x" })],
    ["Updated a.ts", observe("Edit", { file_path: "a.ts", old_string: "", new_string: "x" }, { structured: { originalFile: "" } })],
    ["Read a.ts, src/**", observe("read_many_files", { include: ["a.ts", "src/**"] })],
    ["Updated todo list", observe("todo", { items: [] })],
    ["Updating todo list was denied", observe("todo", { items: [] }, { state: "denied", isError: true })],
    ["Question was denied: Which?", observe("ask", { questions: [{ question: "Which?" }] }, { state: "denied", isError: true })],
  ])("[T8] %s", (summary, observation) => {
    expect(formatToolSummary(presentTool(observation).summary)).toBe(summary);
  });

  it("[Q17] a long command is one line of at most 80 code points", () => {
    const { summary } = presentTool(observe("bash", { command: "😀".repeat(600) }));
    expect(summary).toEqual({ action: "run", subject: `${"😀".repeat(79)}…`, state: "completed" });
  });

  it("[Q17] a long path is kept, and keeps its end where it is longer than any screen is wide", () => {
    const path = `/home/ada/.skein/worktrees/${"packages/".repeat(10)}tile-cache-with-a-rather-long-name.ts`;
    expect(presentTool(observe("read", { path })).summary.subject).toBe(path);
    const longer = `/${"😀/".repeat(400)}name.ts`;
    const { subject = "" } = presentTool(observe("edit", { path: longer })).summary;
    expect([subject.length <= 300, subject.isWellFormed(), subject.startsWith("…"), subject.endsWith("😀/name.ts")]).toEqual(
      Array(4).fill(true),
    );
  });
});

describe("details", () => {
  it("[T7] an edit is a diff with the line numbers of the real file", () => {
    const oldContent = Array.from({ length: 20 }, (_, i) => `line ${i + 1}\n`).join("");
    const newContent = oldContent.replace("line 12\n", "line twelve\n");
    const { details } = presentTool(observe("edit", { path: "a.ts" }, { structured: { filePath: "a.ts", oldContent, newContent } }));
    expect(details).toEqual({
      type: "diff",
      data: {
        filePath: "a.ts",
        change: "updated",
        scope: "file",
        oldContent,
        newContent,
        hunks: [
          {
            oldStart: 9,
            oldLines: 7,
            newStart: 9,
            newLines: 7,
            lines: [" line 9", " line 10", " line 11", "-line 12", "+line twelve", " line 13", " line 14", " line 15"],
          },
        ],
      },
    });
  });

  it("[T7] a failed edit shows its error, not a diff", () => {
    const input = { path: "a.ts", oldText: "x", newText: "y" };
    for (const end of [failed, { isError: true, state: "completed" }, { state: "interrupted", isError: true }] as const) {
      expect(presentTool(observe("edit", input, end)).details).toBeUndefined();
    }
  });

  it("[T7] where only the replaced text is known, the diff is of that text and claims no line numbers", () => {
    const { details } = presentTool(observe("Edit", { file_path: "a.ts", old_string: "x\ny", new_string: "z" }));
    const hunk = { oldStart: 0, oldLines: 2, newStart: 0, newLines: 1, lines: ["-x", "-y", "+z"] };
    const contents = { oldContent: "x\ny", newContent: "z" };
    expect(details).toEqual({ type: "diff", data: { filePath: "a.ts", change: "updated", scope: "snippet", ...contents, hunks: [hunk] } });
  });

  it("[T7] a card of an earlier release gets the contents that its hunks or its patch hold", () => {
    const hunk = { oldStart: 3, oldLines: 2, newStart: 3, newLines: 2, lines: [" same", "-a", "+b"] };
    const read = (data: object) => toolDetailsSchema.parse({ type: "diff", data: { filePath: "a", hunks: [], ...data } }).data;
    const contents = { scope: "snippet", oldContent: "same\na\n", newContent: "same\nb\n" };
    expect(read({ hunks: [hunk], otherFiles: [{ filePath: "b", hunks: [hunk] }] })).toMatchObject({ ...contents, otherFiles: [contents] });
    expect(read({ patch: "@@ @@\n same\n-a\n+b" })).toMatchObject(contents);
    expect(read({ oldContent: "a", newContent: "b" })).toMatchObject({ scope: "file", oldContent: "a", newContent: "b" });
  });

  it("[T7] hunks that the agent computed are taken over", () => {
    const hunk = { oldStart: 3, oldLines: 1, newStart: 3, newLines: 1, lines: ["-a", "+b"] };
    const snippet = { scope: "snippet", oldContent: "a\n", newContent: "b\n" };
    const { details } = presentTool(
      observe("Edit", { file_path: "a.ts" }, { structured: { filePath: "/w/a.ts", structuredPatch: [hunk] } }),
    );
    expect(details).toEqual({ type: "diff", data: { filePath: "/w/a.ts", change: "updated", ...snippet, hunks: [hunk] } });
  });

  it("[T7] a created file is a diff from nothing", () => {
    const structured = { filePath: "a.ts", created: true, oldContent: null, newContent: "a\nb\n" };
    expect(presentTool(observe("write", { path: "a.ts" }, { structured })).details).toMatchObject({
      type: "diff",
      data: { change: "created", oldContent: "", hunks: [{ oldLines: 0, newStart: 1, newLines: 2, lines: ["+a", "+b"] }] },
    });
  });

  it("[T7] of huge files the changed part is kept, and beyond that no diff", () => {
    const oldContent = "some line of text\n".repeat(10_000);
    const edit = (content: string) =>
      presentTool(observe("edit", { path: "a" }, { structured: { filePath: "a", oldContent: content, newContent: `${content}more\n` } }))
        .details;
    const details = edit(oldContent);
    const part = "some line of text\n".repeat(3);
    expect(details).toMatchObject({
      type: "diff",
      data: { scope: "snippet", oldContent: part, newContent: `${part}more\n`, hunks: [{ newLines: 4 }] },
    });
    expect(edit(oldContent.repeat(7))).toBeUndefined();
  });

  it("[T7] two long files with nothing in common are shown as replaced", () => {
    const lines = (word: string) => Array.from({ length: 3000 }, (_, i) => `${word} ${i}\n`).join("");
    const structured = { filePath: "a", oldContent: lines("old"), newContent: lines("new") };
    const { details } = presentTool(observe("edit", { path: "a" }, { structured }));
    expect(details).toMatchObject({ type: "diff", data: { hunks: [{ oldStart: 1, oldLines: 3000, newStart: 1, newLines: 3000 }] } });
  });

  it.each<[number | null, Partial<ToolObservation>]>([
    [0, { structured: { stdout: "o", stderr: "e", exitCode: 0 } }],
    [3, { ...failed, structured: { stdout: "o", stderr: "e", exitCode: 3 } }],
    [null, { ...failed, structured: { stdout: "o", stderr: "e", exitCode: null, timedOut: true } }],
    [7, { ...failed, output: "Exit code 7\nboom" }],
    [0, {}],
    [null, failed],
    [null, { state: "running" }],
  ])("[T7] a command has exit code %s", (exitCode, more) => {
    expect(presentTool(observe("bash", { command: "x" }, more)).details).toMatchObject({
      type: "commandOutput",
      data: { command: "x", exitCode },
    });
  });

  it("[T7] files read, found and searched", () => {
    expect(
      presentTool(observe("read", { path: "a" }, { structured: { filePath: "a", content: "x", startLine: 5, totalLines: 9 } })).details,
    ).toEqual({ type: "fileContent", data: { filePath: "a", content: "x", startLine: 5, totalLines: 9 } });
    expect(presentTool(observe("list", {}, { structured: { files: ["a"] } })).details).toEqual({ type: "fileList", data: ["a"] });
    expect(
      presentTool(observe("grep", { pattern: "x" }, { structured: { matches: [{ filePath: "a", line: 2, text: "x" }], total: 5 } }))
        .details,
    ).toEqual({ type: "searchResults", data: { pattern: "x", matches: [{ filePath: "a", line: 2, text: "x" }], total: 5 } });
    expect(
      presentTool(observe("todo", {}, { structured: { items: [{ text: "a", status: "in-progress" }], previous: [] } })).details,
    ).toEqual({ type: "todoList", data: { items: [{ text: "a", status: "in-progress" }], previous: [] } });
  });
});

describe("the registry", () => {
  it("[T8] a custom processor is one module", () => {
    const present = createToolRegistry([...shippedToolProcessors, { toolNames: ["deploy"], present: () => ({ summary: "Deployed" }) }]);
    const state = "completed";
    expect(present(observe("deploy", null)).summary).toEqual({ action: "text", subject: "Deployed", state });
    expect(present(observe("constructor", null)).summary).toEqual({ action: "call", subject: "constructor", state });
  });

  it("[T8] a custom processor may return data, which is bounded, or a sentence; without either, the tool's name is shown", () => {
    const summarize = (summary: SummaryDraft | string, more: Partial<ToolObservation> = {}) =>
      createToolRegistry([{ toolNames: ["deploy"], present: () => ({ summary }) }])(observe("deploy", null, more)).summary;
    expect(summarize({ action: "run", subject: "deploy\n  staging", count: undefined }, { state: "running" })).toEqual({
      action: "run",
      subject: "deploy staging",
      state: "running",
    });
    expect(summarize({ action: "update", subject: " ", count: 3 }, failed)).toEqual({ action: "update", count: 3, state: "failed" });
    expect(summarize({ action: "read", state: "interrupted" })).toEqual({ action: "read", state: "interrupted" });
    expect(summarize("x".repeat(5000)).subject).toBe(`${"x".repeat(199)}…`);
    expect(summarize(" \n")).toEqual({ action: "call", subject: "deploy", state: "completed" });
  });

  it("[T8] if a processor throws, in either function, the next one that handles the tool is used", () => {
    const fail = () => {
      throw new Error("broken");
    };
    const present = createToolRegistry([
      ...shippedToolProcessors,
      { toolNames: ["bash", "deploy"], present: fail },
      { toolNames: [], recognises: fail, present: fail },
      { toolNames: [], recognises: (name) => name === "read", present: fail },
    ]);
    expect(present(observe("bash", { command: "ls" })).summary).toMatchObject({ action: "run", subject: "ls" });
    expect(present(observe("read", { path: "a.ts" })).summary).toMatchObject({ action: "read", subject: "a.ts" });
    expect(present(observe("deploy", null)).summary).toMatchObject({ action: "call", subject: "deploy" });
    expect(present(observe("mcp__a__b", null)).summary).toMatchObject({ action: "call", subject: "a: b" });
  });

  it("[Q13] no input or result of any shape makes a processor throw or return invalid details", () => {
    const names = shippedToolProcessors.flatMap((processor) => processor.toolNames);
    const fields = [
      "path",
      "file_path",
      "content",
      "command",
      "pattern",
      "todos",
      "items",
      "files",
      "matches",
      "structuredPatch",
      "exitCode",
      "originalFile",
      "edits",
      "old_string",
      "new_string",
      "mode",
      "file",
      "cells",
      "bashEditDiff",
      "tasks",
      "task",
      "results",
      "questions",
      "answers",
      "plan",
    ];
    const json = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom(...fields, "__proto__"), fc.jsonValue()),
    ) as fc.Arbitrary<JsonValue>;
    const states = fc.constantFrom<ToolObservation["state"]>("running", "completed", "failed", "denied", "interrupted", "timed-out");
    fc.assert(
      fc.property(
        fc.constantFrom(...names, "other", "mcp__a__b"),
        json,
        fc.option(json, { nil: undefined }),
        states,
        fc.boolean(),
        (name, input, structured, state, isError) => {
          const { summary, details } = presentTool(observe(name, input, { structured, state, isError }));
          expect(toolSummarySchema.parse(summary)).toEqual(summary);
          expect(formatToolSummary(summary)).toMatch(/^\S(?:[^\n]*\S)?$/);
          if (details !== undefined) toolDetailsSchema.parse(details);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
