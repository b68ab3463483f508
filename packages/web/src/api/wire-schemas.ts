import {
  agentInfoSchema,
  agentListSchema,
  approvalSchema,
  attemptSchema,
  attemptSummarySchema,
  type ConversationMessage,
  commandResultSchema,
  conversationMessageSchema,
  conversationPageSchema,
  diffStatSchema,
  eventSchema,
  executionSchema,
  folderMatchesSchema,
  healthSchema,
  inboxItemSchema,
  listedTaskSchema,
  messageAddedSchema,
  messageGrowthSchema,
  messageReferenceSchema,
  overviewSchema,
  projectSchema,
  queuedMessageSchema,
  sessionSchema,
  startedTaskSchema,
  taskOverviewSchema,
  taskSchema,
  taskSummarySchema,
} from "@skein/contracts";
import { z } from "zod";

/*
 * What the server sends to a page that opens: answers by the name that `request` is given, and events. A chunk of its own, with zod,
 * which is loaded with the page; the other answers are in `later-wire-schemas.ts`. Import types only, or `loadWireSchemas`.
 */

const { id, role, content, timestamp, revision } = conversationMessageSchema.options[0].shape;

/**
 * A message of a conversation. One that does not fit, as a newer server may send it, must not take the others with it: where it has
 * what every message has, it is passed on, and drawn as text if it cannot be drawn otherwise (`ui/render-boundary.tsx`).
 */
const shownMessageSchema: z.ZodType<ConversationMessage> = z.union([
  conversationMessageSchema,
  z.looseObject({ id, role, content, timestamp, revision, messageType: z.string() }).transform((message) => message as ConversationMessage),
]);

const conversation = conversationPageSchema.extend({ messages: z.array(shownMessageSchema) });
const taskOverview = taskOverviewSchema.extend({ conversation });

export const answerSchemas = {
  agent: agentInfoSchema,
  agents: agentListSchema,
  approval: approvalSchema,
  approvals: z.array(approvalSchema),
  attempt: attemptSchema,
  attempts: z.array(attemptSummarySchema),
  commandResult: commandResultSchema,
  conversation,
  diffStat: diffStatSchema,
  executions: z.array(executionSchema),
  folders: folderMatchesSchema,
  inbox: z.array(inboxItemSchema),
  inboxItem: inboxItemSchema,
  overview: overviewSchema.extend({ task: taskOverview.nullable() }),
  project: projectSchema,
  projects: z.array(projectSchema),
  queue: z.array(queuedMessageSchema),
  queuedMessage: queuedMessageSchema,
  session: sessionSchema,
  startedTask: startedTaskSchema,
  task: taskSchema,
  tasks: z.array(taskSchema),
  taskOverview,
  taskSummaries: z.array(listedTaskSchema),
  taskSummary: taskSummarySchema,
} as const;

/** The stored events of `GET /api/events` by their names; the stream's other events are about the connection. */
export const eventTypes: ReadonlySet<string> = new Set(eventSchema.options.map(({ shape }) => shape.type.value));

export const streamSchemas = {
  event: eventSchema,
  messageAdded: messageAddedSchema.extend({ message: shownMessageSchema }),
  reference: messageReferenceSchema,
  growth: messageGrowthSchema,
  health: healthSchema,
} as const;
