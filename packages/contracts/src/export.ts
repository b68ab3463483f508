import { z } from "zod";
import { attemptSchema } from "./attempt.ts";
import { conversationMessageSchema } from "./conversation-message.ts";
import { executionSchema } from "./execution.ts";
import { attemptDiffSchema } from "./http.ts";
import { timestampSchema } from "./json.ts";
import { storedMessageSchema } from "./stored-message.ts";
import { taskSchema } from "./task.ts";

/** `html`: one page that works offline. `json`: for programs, see `attemptExportSchema`. `markdown`: for reading. */
export const exportFormatSchema = z.enum(["html", "json", "markdown"]);
export type ExportFormat = z.infer<typeof exportFormatSchema>;

/** What is exported next to the conversation. */
export const exportPartsSchema = z.object({
  /** The model's thoughts. */
  thinking: z.boolean().default(true),
  /** The protocol messages, which requests are built from. */
  messages: z.boolean().default(true),
  /** The attempt's changes since its base commit. */
  changes: z.boolean().default(true),
});
export type ExportParts = z.infer<typeof exportPartsSchema>;

/** Kinds of what is redacted. */
export const secretKindSchema = z.enum([
  /** The value of a variable or setting of the server or of an agent with a secret name. */
  "environment-secret",
  "private-key",
  "provider-key",
  "github-token",
  "gitlab-token",
  "aws-key",
  "service-token",
  "skein-token",
  "jwt",
  "authorization",
  "connection-string",
  "url-parameter",
  /** `NAME_OF_A_SECRET=value` */
  "assignment",
  "home-path",
  "user-name",
  /** A word that the user added. */
  "own-word",
]);
export type SecretKind = z.infer<typeof secretKindSchema>;

const ownWordsSchema = z.array(z.string().trim().min(2).max(500)).max(200);

/** Where an exported value was found. */
export const secretPlaceSchema = z.object({
  part: z.enum(["task", "conversation", "messages", "changes"]),
  /** Id of a message, or path of a changed file. */
  id: z.string().optional(),
  /** The text around it. Other findings in it are masked, too. */
  before: z.string(),
  after: z.string(),
});
export type SecretPlace = z.infer<typeof secretPlaceSchema>;

/** A value that an export redacts unless it is kept. */
export const secretFindingSchema = z.object({
  /** The same for the same value in the same attempt. */
  id: z.string(),
  kind: secretKindSchema,
  /** The name of the variable, if the value is that of one. */
  name: z.string().optional(),
  /** The value, masked; home paths, user names and own words are shown as they are. */
  masked: z.string(),
  /** What is written instead. */
  replacement: z.string(),
  count: z.int().positive(),
  /** The first places. */
  places: z.array(secretPlaceSchema),
});
export type SecretFinding = z.infer<typeof secretFindingSchema>;

/** Request of a preview: what would be exported, and words to redact. */
export const previewRedactionSchema = z.object({
  include: exportPartsSchema.prefault({}),
  words: ownWordsSchema.default([]),
});
export type PreviewRedaction = z.infer<typeof previewRedactionSchema>;

/** What an export would redact. */
export const redactionPreviewSchema = z.object({
  findings: z.array(secretFindingSchema),
  /** Values that are redacted, too, and not listed because there are too many. */
  more: z.int().nonnegative(),
});
export type RedactionPreview = z.infer<typeof redactionPreviewSchema>;

/** Request of an export. */
export const exportRequestSchema = z.object({
  format: exportFormatSchema.default("json"),
  include: exportPartsSchema.prefault({}),
  /** Null exports everything as it is. */
  redaction: z
    .object({
      /** Ids of findings that are not redacted. */
      keep: z.array(z.string().max(100)).max(5000).default([]),
      words: ownWordsSchema.default([]),
    })
    .nullable()
    .prefault({}),
});
export type ExportRequest = z.infer<typeof exportRequestSchema>;

/** What was redacted in an export; null if redaction was off. */
export const exportRedactionSchema = z
  .object({ redacted: z.array(z.object({ kind: secretKindSchema, count: z.int().positive() })), kept: z.int().nonnegative() })
  .nullable();
export type ExportRedaction = z.infer<typeof exportRedactionSchema>;

/** The beginning of an exported attempt. */
export const exportHeadSchema = z.object({
  format: z.literal("skein-attempt/2"),
  exportedAt: timestampSchema,
  /** The version of Skein that wrote it. */
  version: z.string(),
  task: taskSchema,
  attempt: attemptSchema,
  executions: z.array(executionSchema),
});
export type ExportHead = z.infer<typeof exportHeadSchema>;

/**
 * An attempt as JSON. A new version gets a new `format`; fields may be added to a version. What was redacted is replaced by
 * `[redacted: <kind>]` inside of texts, so the structure stays valid.
 */
export const attemptExportSchema = exportHeadSchema.extend({
  /** The changes since the base commit; null if they were not included or cannot be read any more. */
  changes: attemptDiffSchema.nullable(),
  /** Protocol messages, in order; absent if they were not included. */
  messages: z.array(storedMessageSchema).optional(),
  /** What users see, in order. */
  conversation: z.array(conversationMessageSchema),
  redaction: exportRedactionSchema,
});
