import { z } from "zod";
import { type FileDiff, fileDiffSchema, toolDiffObject } from "./file-diff.ts";
import { jsonValueSchema } from "./json.ts";
import { toToolDiff } from "./tool-diff.ts";

/** Cards of earlier releases have no contents if only hunks or a patch were known. */
function completeDiff(value: unknown): unknown {
  return fileDiffSchema.safeParse(value).success ? toToolDiff(value as FileDiff) : value;
}

const toolDiffSchema = z.preprocess(completeDiff, toolDiffObject);

/** One item of an agent’s todo list. */
export const todoItemSchema = z.object({
  text: z.string(),
  status: z.enum(["pending", "in-progress", "completed", "cancelled"]),
});
export type TodoItem = z.infer<typeof todoItemSchema>;

/** The structured part of a tool execution, tagged by `type`. */
export const toolDetailsSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("diff"),
    /** One call may change several files: the first is the entry itself, the others follow. */
    data: z.preprocess(completeDiff, toolDiffObject.extend({ otherFiles: z.array(toolDiffSchema).optional() })),
  }),
  z.object({ type: z.literal("fileList"), data: z.array(z.string()) }),
  z.object({
    type: z.literal("commandOutput"),
    data: z.object({
      command: z.string(),
      stdout: z.string(),
      stderr: z.string(),
      /** Null while it runs, and after a signal or timeout. */
      exitCode: z.int().nullable(),
      /** Files that the command changed, if the agent detects that. */
      changedFiles: z.array(toolDiffSchema).optional(),
    }),
  }),
  z.object({
    type: z.literal("searchResults"),
    data: z.object({
      pattern: z.string(),
      matches: z.array(z.object({ filePath: z.string(), line: z.int().positive().optional(), text: z.string().optional() })),
      /** More than `matches` has if the tool truncated its list. */
      total: z.int().nonnegative(),
    }),
  }),
  z.object({
    type: z.literal("todoList"),
    data: z.object({ items: z.array(todoItemSchema), previous: z.array(todoItemSchema).optional() }),
  }),
  z.object({
    type: z.literal("fileContent"),
    data: z.object({
      filePath: z.string(),
      content: z.string(),
      startLine: z.int().positive(),
      totalLines: z.int().nonnegative().optional(),
    }),
  }),
  z.object({
    type: z.literal("webResult"),
    data: z.object({
      url: z.string().optional(),
      query: z.string().optional(),
      title: z.string().optional(),
      content: z.string().optional(),
      results: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string().optional() })).optional(),
    }),
  }),
  z.object({
    type: z.literal("image"),
    data: z.object({ mediaType: z.string(), data: z.string(), filePath: z.string().optional() }),
  }),
  z.object({
    type: z.literal("subagent"),
    data: z.object({
      description: z.string(),
      agentType: z.string().optional(),
      prompt: z.string().optional(),
      result: z.string().optional(),
    }),
  }),
  z.object({ type: z.literal("plan"), data: z.object({ plan: z.string() }) }),
  z.object({
    type: z.literal("question"),
    data: z.object({
      questions: z.array(
        z.object({
          header: z.string().optional(),
          question: z.string(),
          options: z.array(z.object({ label: z.string(), description: z.string().optional() })),
          multiple: z.boolean(),
        }),
      ),
      /** By question text. */
      answers: z.record(z.string(), jsonValueSchema).optional(),
    }),
  }),
]);
export type ToolDetails = z.infer<typeof toolDetailsSchema>;
