import type { JsonValue, ToolDetails } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { formatToolSummary } from "../summaries/format-tool-summary.ts";
import type { ToolObservation } from "./tool-processor.ts";
import { presentTool } from "./tool-registry.ts";

function observe(toolName: string, input: JsonValue, more: Partial<ToolObservation> = {}): ToolObservation {
  return { toolName, input, output: "", isError: false, state: "completed", ...more };
}

const failed = { isError: true, state: "failed", output: "it broke" } as const;
const denied = { isError: true, state: "denied", output: "not now" } as const;

describe("summaries", () => {
  it.each<[string, ToolObservation]>([
    ["Updated a.ts", observe("MultiEdit", { file_path: "a.ts", edits: [] })],
    ["Updated a.ipynb › c1", observe("NotebookEdit", { notebook_path: "a.ipynb", cell_id: "c1", new_source: "x" })],
    ["Updated a.ts", observe("Write", { file_path: "a.ts", content: "x" }, { output: "The file a.ts has been updated. Here it is" })],
    [
      "Started npm start in the background",
      observe("Bash", { command: "npm start" }, { structured: { backgroundTaskId: "b1", stdout: "" } }),
    ],
    ["Could not run a command", observe("Bash", {}, failed)],
    ["Running npm test was denied", observe("Bash", { command: "npm test" }, denied)],
    ["Read output of b1", observe("BashOutput", { bash_id: "b1" })],
    ["Stopped b1", observe("KillShell", { shell_id: "b1" })],
    [
      "Found x in 2 files",
      observe("Grep", { pattern: "x" }, { structured: { mode: "files_with_matches", filenames: ["a", "b"], numFiles: 2 } }),
    ],
    ["Found no files matching *.ts", observe("Glob", { pattern: "*.ts" }, { output: "No files found" })],
    [
      "Read todo list (1/2 done)",
      observe("TaskList", {}, { structured: { tasks: [{ subject: "a", status: "completed" }, { subject: "b" }] } }),
    ],
    ["Added todo: Write tests", observe("TaskCreate", { subject: "Write tests" })],
    ["Started todo #3", observe("TaskUpdate", { taskId: "3", status: "in_progress" })],
    ["Completed todo #3", observe("TaskUpdate", { taskId: "3" }, { structured: { statusChange: { from: "pending", to: "completed" } } })],
    ["Updated a todo", observe("TaskUpdate", {})],
    ["Could not update todo #3", observe("TaskUpdate", { taskId: "3" }, { structured: { success: false } })],
    ["Fetched https://e.example", observe("WebFetch", { url: "https://e.example" })],
    ["Could not fetch https://e.example", observe("WebFetch", { url: "https://e.example" }, failed)],
    ["Searched the web for sqlite wal", observe("WebSearch", { query: "sqlite wal" })],
    ["Running subagent: Look", observe("Task", { description: "Look" }, { state: "running" })],
    ["Ran subagent: Look", observe("Agent", { description: "Look" })],
    ["Started subagent: Look", observe("Agent", { description: "Look" }, { structured: { status: "async_launched" } })],
    ["Subagent failed: Look", observe("Agent", { description: "Look" }, failed)],
    ["Proposing a plan", observe("ExitPlanMode", { plan: "p" }, { state: "running" })],
    ["Plan approved", observe("ExitPlanMode", { plan: "p" })],
    ["Plan was not approved", observe("ExitPlanMode", { plan: "p" }, denied)],
    [
      "Asking: Which? Why?",
      observe("AskUserQuestion", { questions: [{ question: "Which?" }, { question: "Why?" }] }, { state: "running" }),
    ],
    ["Called demo: add", observe("mcp__demo__add", {})],
    ["demo: add failed", observe("mcp__demo__add", {}, failed)],
    ["my server: do__it was denied", observe("mcp__my server__do__it", {}, denied)],
    ["Used skill pdf", observe("Skill", { skill: "pdf" })],
    ["Called mcp__", observe("mcp__", {})],
  ])("[T8] %s", (summary, observation) => {
    expect(formatToolSummary(presentTool(observation).summary)).toBe(summary);
  });
});

function detailsOf(observation: ToolObservation): ToolDetails | undefined {
  return presentTool(observation).details;
}

const original = Array.from({ length: 20 }, (_, i) => `line ${i + 1}\n`).join("");
const changed = original.replace("line 12\n", "line twelve\n");
const hunk = { oldStart: 11, oldLines: 3, newStart: 11, newLines: 3, lines: [" line 11", "-line 12", "+line twelve", " line 13"] };

describe("edits", () => {
  const input = { file_path: "a.ts", old_string: "line 12\n", new_string: "line twelve\n" };

  it("[T7] the agent's hunks come with the resulting contents", () => {
    const structured = { filePath: "a.ts", originalFile: original, structuredPatch: [hunk] };
    expect(detailsOf(observe("Edit", input, { structured }))).toEqual({
      type: "diff",
      data: { filePath: "a.ts", change: "updated", scope: "file", oldContent: original, newContent: changed, hunks: [hunk] },
    });
  });

  const snippet = { scope: "snippet", oldContent: "line 11\nline 12\nline 13\n", newContent: "line 11\nline twelve\nline 13\n" };

  it("[T7] hunks that do not fit the file come with their own part of it alone", () => {
    const structured = { filePath: "a.ts", originalFile: "other\n", structuredPatch: [hunk] };
    expect(detailsOf(observe("Edit", input, { structured }))).toEqual({
      type: "diff",
      data: { filePath: "a.ts", change: "updated", ...snippet, hunks: [hunk] },
    });
    const contradicting = { ...hunk, oldLines: 9 };
    expect(detailsOf(observe("Edit", input, { structured: { ...structured, structuredPatch: [contradicting] } }))).toMatchObject({
      data: { ...snippet, hunks: [contradicting] },
    });
  });

  it("[T7] replaced text and the original file give the real line numbers", () => {
    for (const newText of ["line twelve\n", "$& and $1\n"]) {
      const structured = { filePath: "a.ts", oldString: "line 12\n", newString: newText, originalFile: original };
      expect(detailsOf(observe("Edit", { file_path: "a.ts" }, { structured }))).toMatchObject({
        data: { hunks: [{ oldStart: 9, newStart: 9 }], newContent: original.replace("line 12\n", () => newText) },
      });
    }
  });

  it("[T7] replacing all replaces all, and several edits are made in their order", () => {
    const structured = {
      filePath: "a.ts",
      originalFileContents: "a a b\n",
      edits: [
        { old_string: "a", new_string: "c", replace_all: true },
        { old_string: "c b", new_string: "d" },
      ],
    };
    expect(detailsOf(observe("MultiEdit", { file_path: "a.ts" }, { structured }))).toMatchObject({ data: { newContent: "c d\n" } });
    const { edits } = structured;
    expect(detailsOf(observe("MultiEdit", { file_path: "a.ts", edits }))).toMatchObject({
      data: { scope: "snippet", oldContent: "a\nc b", newContent: "c\nd", hunks: [{ lines: ["-a", "+c"] }, { lines: ["-c b", "+d"] }] },
    });
  });

  it("[T7] an update whose old content is unknown claims no line numbers", () => {
    const output = "The file a.ts has been updated. Here's the result";
    expect(detailsOf(observe("Write", { file_path: "a.ts", content: "x\n" }, { output }))).toEqual({
      type: "diff",
      data: {
        ...{ filePath: "a.ts", change: "updated", scope: "snippet", oldContent: "", newContent: "x\n" },
        hunks: [{ oldStart: 0, oldLines: 0, newStart: 0, newLines: 1, lines: ["+x"] }],
      },
    });
  });

  it("[T7] a created file without a last newline is marked", () => {
    const structured = { type: "create", filePath: "a", content: "x\ny", structuredPatch: [], originalFile: null };
    expect(detailsOf(observe("Write", { file_path: "a", content: "x\ny" }, { structured }))).toMatchObject({
      data: {
        change: "created",
        hunks: [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 2, lines: ["+x", "+y", "\\ No newline at end of file"] }],
      },
    });
    expect(detailsOf(observe("Write", { file_path: "a", content: "" }))).toMatchObject({ data: { change: "created", hunks: [] } });
  });

  it("[T7] a notebook is a diff of its file", () => {
    const structured = { notebook_path: "a.ipynb", original_file: "{}\n", updated_file: '{"cells":[]}\n', new_source: "x" };
    expect(detailsOf(observe("NotebookEdit", { notebook_path: "a.ipynb" }, { structured }))).toMatchObject({
      data: { hunks: [{ lines: ["-{}", '+{"cells":[]}'] }] },
    });
    expect(
      detailsOf(observe("NotebookEdit", { notebook_path: "a.ipynb" }, { structured: { ...structured, error: "no cell" } })),
    ).toBeUndefined();
  });

  it.each(["Edit", "MultiEdit", "Write", "NotebookEdit"])("[T7] a failed %s shows its error, not a diff", (toolName) => {
    const given = { ...input, notebook_path: "a", content: "x", new_source: "x", edits: [input] };
    expect(detailsOf(observe(toolName, given, failed))).toBeUndefined();
    expect(detailsOf(observe(toolName, given, denied))).toBeUndefined();
  });

  it("[Q13] a million small edits or lines neither overflow nor hang", () => {
    const edits = Array.from({ length: 1_000_000 }, () => ({ old_string: "a", new_string: "b" }));
    expect(
      detailsOf(observe("MultiEdit", { file_path: "a", edits }, { structured: { originalFile: "a".repeat(100_000) } })),
    ).toBeUndefined();
    const hunks = [{ ...hunk, lines: Array.from({ length: 1_000_000 }, () => "+") }];
    expect(
      detailsOf(observe("Bash", { command: "x" }, { structured: { stdout: "", bashEditDiff: { files: [{ filePath: "a", hunks }] } } })),
    ).toMatchObject({
      data: { changedFiles: [{ filePath: "a", hunks: [] }] },
    });
  });

  it("[T7] hunks beyond what a card can hold are left out whole", () => {
    const long = { ...hunk, lines: ["x".repeat(300 * 1024)] };
    const details = detailsOf(observe("Edit", input, { structured: { structuredPatch: [long, long, long] } }));
    expect(details).toMatchObject({ type: "diff", data: { hunks: [long] } });
    expect(JSON.stringify(details).length).toBeLessThan(512 * 1024);
  });
});

describe("files and searches", () => {
  it("[T7] numbered lines of older versions are read, without the reminder below them", () => {
    const output = "     7→seven\n     8→eight → 8\n\n<system-reminder>\nbe careful\n</system-reminder>\n";
    expect(detailsOf(observe("Read", { file_path: "a", offset: 7 }, { output }))).toEqual({
      type: "fileContent",
      data: { filePath: "a", content: "seven\neight → 8", startLine: 7 },
    });
  });

  it.each([
    ["numbers that jump", "1\ta\n3\tb"],
    ["prose", "a file"],
    ["a reminder that is part of the file", "1\ta\nx\n\n<system-reminder>"],
  ])("[T7] %s are no numbered lines", (_, output) => {
    expect(detailsOf(observe("Read", { file_path: "a" }, { output }))).toMatchObject({ data: { content: output, startLine: 1 } });
  });

  it("[T7] a notebook is its cells", () => {
    const structured = {
      type: "notebook",
      file: {
        filePath: "a",
        cells: [
          { cellType: "code", source: "x = 1" },
          { cell_type: "markdown", source: ["# ", "T"] },
        ],
      },
    };
    expect(detailsOf(observe("Read", { file_path: "a" }, { structured }))).toMatchObject({
      data: { content: "# %% code 1\nx = 1\n\n# %% markdown 2\n# T" },
    });
  });

  it("[T7] lines of a search are read with and without file and number; context is none", () => {
    const content = ["src/a.ts:2:a: b", "src/a.ts-3-context", "--", "C:\\w\\b.ts:10:x", "src/c.ts:no number"].join("\n");
    const search = (input: JsonValue, structured: JsonValue | undefined, output = "") =>
      detailsOf(observe("Grep", input, { structured, output }))?.data as Extract<ToolDetails, { type: "searchResults" }>["data"];
    const matches = [
      { filePath: "src/a.ts", line: 2, text: "a: b" },
      { filePath: "C:\\w\\b.ts", line: 10, text: "x" },
      { filePath: "src/c.ts", text: "no number" },
    ];
    expect(search({ pattern: "x" }, { mode: "content", content, numLines: 3, filenames: [] })).toEqual({ pattern: "x", matches, total: 3 });
    expect(search({ pattern: "x", output_mode: "content" }, undefined, content).matches).toEqual(matches);
    expect(search({ pattern: "x", path: "a.ts" }, { mode: "content", content: "4:hit\n5-near", filenames: [] }).matches).toEqual([
      { filePath: "a.ts", line: 4, text: "hit" },
    ]);
  });

  it("[T7] older versions print the files that match", () => {
    expect(detailsOf(observe("Grep", { pattern: "x" }, { output: "Found 2 files\na\nb" }))).toEqual({ type: "fileList", data: ["a", "b"] });
    expect(detailsOf(observe("Glob", { pattern: "x" }, { output: "a\nb" }))).toEqual({ type: "fileList", data: ["a", "b"] });
    expect(detailsOf(observe("Grep", { pattern: "x" }, { output: "No files found" }))).toEqual({ type: "fileList", data: [] });
  });
});

describe("commands", () => {
  it("[T7] files that a command changed are shown next to its output", () => {
    const structured = {
      stdout: "made",
      stderr: "",
      bashEditDiff: {
        files: [
          { filePath: "a", hunks: [hunk] },
          { filePath: "b", hunks: [], created: true },
        ],
      },
    };
    expect(detailsOf(observe("Bash", { command: "x" }, { structured }))).toEqual({
      type: "commandOutput",
      data: {
        command: "x",
        stdout: "made",
        stderr: "",
        exitCode: 0,
        changedFiles: [
          {
            ...{ filePath: "a", change: "updated", hunks: [hunk], scope: "snippet" },
            ...{ oldContent: "line 11\nline 12\nline 13\n", newContent: "line 11\nline twelve\nline 13\n" },
          },
          { filePath: "b", change: "created", hunks: [], scope: "snippet", oldContent: "", newContent: "" },
        ],
      },
    });
  });

  it("[T7] a background command has no exit code yet, and a denied one no output", () => {
    expect(detailsOf(observe("Bash", { command: "x" }, { structured: { stdout: "", backgroundTaskId: "b" } }))).toMatchObject({
      data: { exitCode: null },
    });
    expect(detailsOf(observe("Bash", { command: "x" }, denied))).toBeUndefined();
  });

  it("[T7] the output of a background command is that of its command", () => {
    const structured = { shellId: "b1", command: "npm start", status: "completed", exitCode: 2, stdout: "o", stderr: "e" };
    expect(detailsOf(observe("BashOutput", { bash_id: "b1" }, { structured }))).toEqual({
      type: "commandOutput",
      data: { command: "npm start", stdout: "o", stderr: "e", exitCode: 2 },
    });
  });
});

describe("web, subagents, plans and questions", () => {
  it("[T7] hits of a web search and the text around them", () => {
    const structured = { query: "q", results: [{ tool_use_id: "x", content: [{ title: "T", url: "https://t.example" }] }, "The answer."] };
    expect(detailsOf(observe("WebSearch", { query: "q" }, { structured }))).toEqual({
      type: "webResult",
      data: { query: "q", content: "The answer.", results: [{ title: "T", url: "https://t.example" }] },
    });
    expect(detailsOf(observe("WebFetch", { url: "u" }, { structured: { result: "page", url: "u" } }))).toEqual({
      type: "webResult",
      data: { url: "u", content: "page" },
    });
  });

  it("[T7] a subagent's report is shown; if it failed, its error", () => {
    const structured = {
      content: [
        { type: "text", text: "note" },
        { type: "text", text: "report" },
        { type: "text", text: "tail" },
      ],
      harnessNoteCount: 1,
      harnessTailCount: 1,
    };
    const input = { description: "d", prompt: "p", subagent_type: "Explore" };
    const data = { description: "d", agentType: "Explore", prompt: "p" };
    expect(detailsOf(observe("Agent", input, { structured }))).toEqual({ type: "subagent", data: { ...data, result: "report" } });
    expect(detailsOf(observe("Agent", input, failed))).toEqual({ type: "subagent", data: { ...data, result: "it broke" } });
    expect(detailsOf(observe("Agent", input, { state: "running" }))).toEqual({ type: "subagent", data });
  });

  it("[T7] an edit of a version that only prints the lines around it is shown with their numbers, where it can be found in them", () => {
    const input = { file_path: "/w/a.txt", old_string: "two", new_string: "2" };
    const output = "The file /w/a.txt has been updated. Here's the result of running `cat -n` on a snippet of the edited file:\n";
    const hunksOf = (printed: string) => {
      const details = detailsOf(observe("Edit", input, { output: output + printed }));
      return details?.type === "diff" ? details.data.hunks : undefined;
    };
    expect(hunksOf("    11→one\n    12→line 2.\n    13→three")).toEqual([
      { oldStart: 11, oldLines: 3, newStart: 11, newLines: 3, lines: [" one", "-line two.", "+line 2.", " three"] },
    ]);
    // it occurs twice: which of them is new is unknown
    expect(hunksOf("    11→2\n    12→2")).toEqual([{ oldStart: 0, oldLines: 1, newStart: 0, newLines: 1, lines: ["-two", "+2"] }]);
  });

  it("[T7] a plan is readable in every state, and an error replaces a question", () => {
    const questions = [
      { question: "Which?", header: "H", multiSelect: true, options: [{ label: "A", description: "a" }, { label: "B" }, 3] },
    ];
    for (const state of ["running", "denied", "completed", "failed", "interrupted"] as const) {
      expect(detailsOf(observe("ExitPlanMode", { plan: "p" }, { state }))).toEqual({ type: "plan", data: { plan: "p" } });
    }
    expect(detailsOf(observe("ExitPlanMode", { plan: "p" }, failed))).toEqual({ type: "plan", data: { plan: "p" } });
    expect(detailsOf(observe("exit_plan", { plan: "p" }, { structured: { plan: "edited" } }))).toEqual({
      type: "plan",
      data: { plan: "edited" },
    });
    expect(detailsOf(observe("AskUserQuestion", { questions }, { structured: { answers: { "Which?": "A" } } }))).toEqual({
      type: "question",
      data: {
        questions: [{ question: "Which?", header: "H", multiple: true, options: [{ label: "A", description: "a" }, { label: "B" }] }],
        answers: { "Which?": "A" },
      },
    });
    expect(detailsOf(observe("AskUserQuestion", { questions }, failed))).toBeUndefined();
  });
});
