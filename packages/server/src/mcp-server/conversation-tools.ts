import {
  type AttemptDiff,
  attemptDiffSchema,
  attemptIdSchema,
  attemptSummarySchema,
  type ChangedFile,
  type ConversationMessage,
  conversationPageSchema,
  taskIdSchema,
} from "@skein/contracts";
import { z } from "zod";
import { type Api, toQuery } from "./api.ts";
import { shorten, toAttemptLinks, toResult } from "./tool-result.ts";
import { defineTool, reading, type SkeinTool } from "./tools.ts";

const longest = { short: 1500, full: 20_000 };
const longestDiff = 60_000;

const changedFile = z.object({
  path: z.string(),
  change: z.string(),
  additions: z.int(),
  deletions: z.int(),
});

export const conversationTools: readonly SkeinTool[] = [
  defineTool({
    name: "read_conversation",
    scope: "read",
    title: "Read a conversation",
    description:
      "Returns what was said and done in an attempt, oldest first: by default the newest messages, with tools as one line each (`short`). `full` adds inputs and outputs of tools. For earlier messages pass `before`, the id of the first message that you have.",
    input: z.object({
      taskId: taskIdSchema,
      attemptId: attemptIdSchema.optional().describe("Default: the active attempt of the task"),
      detail: z.enum(["short", "full"]).default("short"),
      limit: z.int().min(1).max(200).default(30),
      before: z.string().max(500).optional(),
    }),
    output: z.object({
      messages: z.array(z.object({ id: z.string(), role: z.string(), type: z.string(), text: z.string(), at: z.number() })),
      hasMore: z.boolean().describe("There are earlier messages"),
    }),
    annotations: reading,
    async run({ taskId, detail, ...query }, { api, signal }) {
      const path = `/api/tasks/${taskId}/conversation${toQuery({ ...query, mergeMode: "on-complete" })}`;
      const page = await api.get(path, conversationPageSchema, signal);
      const messages = page.messages.map((message) => ({
        ...{ id: message.id, role: message.role, type: message.messageType, at: message.timestamp },
        text: toText(message, detail),
      }));
      const lines = messages.map(({ id, role, type, text }) => `[${id}] ${role}${type === "text" ? "" : ` (${type})`}: ${text}`);
      const more = page.hasMore ? ["(earlier messages: pass before)"] : [];
      return toResult({ messages, hasMore: page.hasMore }, { text: [...more, ...lines].join("\n\n") || "No messages." });
    },
  }),
  defineTool({
    name: "get_diff",
    scope: "read",
    title: "Read the changes of an attempt",
    description:
      "Returns what an attempt has changed since its base, committed or not. `stat`: files and numbers of lines. `full`: a unified diff, of all files or of those in `paths`.",
    input: z.object({
      attemptId: attemptIdSchema,
      detail: z.enum(["stat", "full"]).default("full"),
      paths: z.array(z.string().max(4096)).max(100).optional(),
    }),
    output: z.object({ files: z.array(changedFile), diff: z.string().optional(), truncated: z.boolean() }),
    annotations: reading,
    async run({ attemptId, detail, paths }, { api, signal }) {
      const all = await api.get(`/api/attempts/${attemptId}/diff`, attemptDiffSchema, signal);
      const files = paths === undefined ? all.files : all.files.filter(({ filePath }) => paths.includes(filePath));
      const whole = formatFiles(files);
      const diff = shorten(whole, longestDiff);
      const data = { files: files.map(toShownFile), truncated: all.truncated || diff !== whole };
      const stat = formatStat(all);
      if (detail === "stat") return toResult(data, { text: stat });
      return toResult(
        { ...data, diff },
        { text: files.length === 0 ? "No changes." : `${stat}\n\n${diff}`, links: toAttemptLinks(attemptId) },
      );
    },
  }),
  defineTool({
    name: "compare_attempts",
    scope: "read",
    title: "Compare attempts",
    description:
      "Compares attempts, usually of one task by different agents: how each ended, what it cost, how long it took and which files it changed. Use get_diff for the changes themselves.",
    input: z.object({ attemptIds: z.array(attemptIdSchema).min(2).max(10) }),
    output: z.object({
      attempts: z.array(
        z.object({
          attemptId: attemptIdSchema,
          agent: z.string(),
          model: z.string().nullable(),
          lastEnd: z.string().nullable(),
          costUsd: z.number().nullable(),
          durationMs: z.int(),
          additions: z.int(),
          deletions: z.int(),
          files: z.array(changedFile),
        }),
      ),
      changedByAll: z.array(z.string()).describe("Files that each of them has changed"),
    }),
    annotations: reading,
    async run({ attemptIds }, { api, signal }) {
      const attempts = [];
      for (const id of new Set(attemptIds)) attempts.push(await describeAttempt(id, api, signal));
      const [first, ...others] = attempts.map(({ files }) => files.map(({ path }) => path));
      const changedByAll = (first ?? []).filter((path) => others.every((paths) => paths.includes(path)));
      return toResult({ attempts, changedByAll });
    },
  }),
];

async function describeAttempt(id: z.output<typeof attemptIdSchema>, api: Api, signal: AbortSignal) {
  const { agent, model, lastEnd, totals } = await api.get(`/api/attempts/${id}`, attemptSummarySchema, signal);
  const { files } = await api.get(`/api/attempts/${id}/diff`, attemptDiffSchema, signal);
  const sum = (lines: (file: ChangedFile) => number) => files.reduce((total, file) => total + lines(file), 0);
  return {
    ...{ attemptId: id, agent, model, lastEnd: lastEnd?.status ?? null, costUsd: totals.usage.costUsd ?? null },
    ...{ durationMs: totals.durationMs, additions: sum((file) => file.additions), deletions: sum((file) => file.deletions) },
    files: files.map(toShownFile),
  };
}

/** `content` is the summary of a tool; its input and output are in the metadata. */
export function toText(message: ConversationMessage, detail: "short" | "full"): string {
  const limit = longest[detail];
  if (message.messageType !== "tool_execution" || detail === "short") return shorten(message.content, limit);
  const { input, output } = message.metadata;
  return `${message.content}\ninput: ${shorten(JSON.stringify(input), limit)}\noutput: ${shorten(output, limit)}`;
}

function toShownFile({ filePath, change = "updated", additions, deletions }: ChangedFile): z.output<typeof changedFile> {
  return { path: filePath, change, additions, deletions };
}

function formatStat({ files, truncated }: AttemptDiff): string {
  const lines = files.map((file) => `${file.change ?? "updated"} ${file.filePath} +${file.additions} -${file.deletions}`);
  return [...lines, ...(truncated ? ["(not all changes could be compared)"] : [])].join("\n") || "No changes.";
}

/** A unified diff. */
export function formatFiles(files: readonly ChangedFile[]): string {
  return files.map(formatFile).join("\n");
}

function formatFile(file: ChangedFile): string {
  const before = file.change === "created" ? "/dev/null" : `a/${file.oldPath ?? file.filePath}`;
  const after = file.change === "deleted" ? "/dev/null" : `b/${file.filePath}`;
  const note = file.binary ? ["Binary file"] : file.incomplete === undefined ? [] : [`(${file.incomplete})`];
  const hunks = file.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines,
  ]);
  return [`--- ${before}`, `+++ ${after}`, ...note, ...hunks].join("\n");
}
