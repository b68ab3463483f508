import { z } from "zod";
import { acceptedBodySchema } from "./accepted-message.ts";
import { attemptIdSchema, executionIdSchema, messageIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { usageSchema } from "./usage.ts";

/** A stored protocol message. `position` orders the messages of one execution; executions are ordered separately. */
export const storedMessageSchema = z.object({
  id: messageIdSchema,
  attemptId: attemptIdSchema,
  executionId: executionIdSchema,
  position: z.int().nonnegative(),
  body: acceptedBodySchema,
  /** Its tokens in a request: as reported by the provider, otherwise an estimate. Absent in rows of early releases. */
  tokens: z.int().nonnegative().optional(),
  model: z.string().optional(),
  usage: usageSchema.optional(),
  createdAt: timestampSchema,
});
export type StoredMessage = z.infer<typeof storedMessageSchema>;
