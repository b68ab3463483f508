import { z } from "zod";
import { attemptSummarySchema, listedTaskSchema, taskSummarySchema } from "./activity.ts";
import { approvalSchema } from "./approval.ts";
import { sequenceSchema } from "./event.ts";
import { executionSchema } from "./execution.ts";
import { conversationPageSchema } from "./http.ts";
import { projectIdSchema } from "./ids.ts";
import { inboxItemSchema } from "./inbox.ts";
import { projectSchema } from "./project.ts";

/** A task with its attempts, and what one of them shows first. */
export const taskOverviewSchema = z.object({
  task: taskSummarySchema,
  attempts: z.array(attemptSummarySchema),
  /** The newest page of the attempt that was asked for, or of the active one. */
  conversation: conversationPageSchema,
  /** Of the conversation's attempt; empty without one. */
  executions: z.array(executionSchema),
});
export type TaskOverview = z.infer<typeof taskOverviewSchema>;

/** What a client shows first. It is as of event `lastSeq`: a stream opened with `after=<lastSeq>` continues it without a gap. */
export const overviewSchema = z.object({
  lastSeq: sequenceSchema,
  projects: z.array(projectSchema),
  approvals: z.array(approvalSchema),
  inbox: z.array(inboxItemSchema),
  /** The first tasks of a project, with short descriptions and activities; null without projects. */
  board: z.object({ projectId: projectIdSchema, tasks: z.array(listedTaskSchema) }).nullable(),
  /** Null unless a task was asked for and exists. */
  task: taskOverviewSchema.nullable(),
});
export type Overview = z.infer<typeof overviewSchema>;
/** As the server sends it: fields of short activities are left out. */
export type SentOverview = z.input<typeof overviewSchema>;
