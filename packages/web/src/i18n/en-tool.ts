import { createPlural } from "./plural.ts";
import type { Texts } from "./texts.ts";

const plural = createPlural("en");

/** Tool cards and changed files. */
export const toolEn = {
  tool: {
    state: {
      running: "Running",
      completed: "Completed",
      failed: "Failed",
      denied: "Denied",
      interrupted: "Interrupted",
      "timed-out": "Timed out",
      requested: "Requested",
      waiting: "Waiting for you",
    },
    input: "Input",
    output: "Output",
    wholeOutput: "Download the whole output",
    noOutput: "No output",
    stderr: "Error output",
    exitCode: (code: number) => `Exit code ${code}`,
    created: "created",
    updated: "updated",
    deleted: "deleted",
    renamed: "renamed",
    binary: "Binary file",
    noTextChange: "No text changes",
    matches: (count: number) => plural(count, { one: "# match", other: "# matches" }),
    moreMatches: (count: number) => plural(count, { one: "# more match was not sent", other: "# more matches were not sent" }),
    lines: (count: number) => plural(count, { one: "# line", other: "# lines" }),
    linesOf: (shown: string, total: string) => `Lines ${shown} of ${total}`,
    todo: { pending: "To do", "in-progress": "In progress", completed: "Done", cancelled: "Cancelled" },
    todoChanged: "changed",
    todoAdded: "new",
    todoRemoved: "removed",
    prompt: "Prompt",
    answer: "Answer",
    noAnswer: "Not answered yet",
    annotations: "Arrived later",
    changedElsewhere: {
      "another-attempt": (file: string) => `In the folder of another attempt: ${file}`,
      checkout: (file: string) => `In your checkout, outside this attempt: ${file}`,
    },
    mayHaveRun: "The tool may have run, fully or in part. Its result was not received.",
    image: {
      tooLarge: "Image too large to be shown",
      unreadable: "This image cannot be shown",
      pixels: (width: string, height: string) => `${width} × ${height} pixels`,
      download: "Download",
    },
    changedFiles: (count: number) => plural(count, { one: "The command changed # file", other: "The command changed # files" }),
  },
  changes: {
    none: "No changes yet",
    noneText: "What the agent changes in its folder shows up here.",
    truncated: "The diff is too large to show completely. Some files are listed without their lines.",
    approximate: "The start or end of this execution could not be recorded in time. Changes made by others may be included.",
    refresh: "Refresh",
    against: (commit: string) => `Compared with ${commit}`,
    excluded: (count: number) =>
      plural(count, { one: "# file or folder excluded by ignore rules", other: "# files and folders excluded by ignore rules" }),
    excludedText: "These are not part of the diff. Open the Files pane to look at them.",
    moreExcluded: (count: number) => plural(count, { one: "# more is not listed.", other: "# more are not listed." }),
    nested: (count: number) => plural(count, { one: "# nested repository", other: "# nested repositories" }),
    nestedText:
      "These folders are git repositories of their own, so their content is not part of the diff. Open the Files pane to look at it.",
    kind: { "100644": "file", "100755": "executable file", "120000": "symbolic link", "160000": "repository" },
    expandAll: "Expand all files",
    collapseAll: "Collapse all files",
    renamed: (before: string, after: string) => `${before}, renamed to ${after}`,
    before: "Before",
    after: "After",
    mode: (before: string, after: string) => `Changed from ${before} to ${after}.`,
    incomplete: {
      "too-large": "This file is larger than 10 MB. Its content is not compared.",
      unreadable: "This file cannot be read. Its content is not compared.",
      special: "This is a pipe, a socket or a device, not a file.",
      "not-utf8": "This file is not UTF-8. Characters that cannot be shown appear as �.",
      "not-sent": "The diff is too large. The lines of this file are not shown.",
    },
  },
};

export type ToolText = Texts<typeof toolEn>;
