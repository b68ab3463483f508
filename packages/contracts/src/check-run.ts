import { z } from "zod";
import { noticeTextSchema } from "./coded-texts/notice-text.ts";
import { attemptIdSchema, checkRunIdSchema, executionIdSchema, raceIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

const common = {
  id: checkRunIdSchema,
  /** The last execution of the attempt at that time, whose conversation has the card with the output; null if there was none. */
  executionId: executionIdSchema.nullable(),
  requestedAt: timestampSchema,
};

/** The tree (git's object id) of the folder's content when the script was started, ignored files left out. */
const started = { startedAt: timestampSchema, tree: z.string() };

/** How a check script that was started ended. Only `passed` is an exit code of 0. */
export const checkEndStateSchema = z.enum(["passed", "failed", "timed-out", "stopped", "interrupted"]);
/** How a check script that was started ended. */
export type CheckEndState = z.infer<typeof checkEndStateSchema>;

/**
 * The last run of a project's check script in the folder of an attempt: `waiting` → `running` → one of the ends, or `not-run`.
 * `stopped`: by a user, or because a message was sent. `interrupted`: its server or its worker was gone. Neither is repeated by itself.
 */
export const checkRunSchema = z.discriminatedUnion("state", [
  z.object({ ...common, state: z.literal("waiting") }),
  z.object({ ...common, state: z.literal("running"), ...started, stopRequested: z.literal(true).exactOptional() }),
  z.object({
    ...common,
    ...started,
    state: checkEndStateSchema,
    endedAt: timestampSchema,
    /** Null if it was ended by a signal, or is unknown. */
    exitCode: z.int().nullable(),
    /** The content after it: a script may write files that are not ignored. Null if it could not be read. */
    treeAfter: z.string().nullable(),
    /** The last 2,000 characters of its output; the card in the conversation has more. */
    output: z.string(),
  }),
  z.object({ ...common, state: z.literal("not-run"), endedAt: timestampSchema, reason: noticeTextSchema }),
]);
/** The last run of a project's check script in the folder of an attempt. */
export type CheckRun = z.infer<typeof checkRunSchema>;
/** The state of a check run. */
export type CheckState = CheckRun["state"];

/** What lists show of an attempt with a check, or in a race. Archived attempts are left out. */
export const checkBadgeSchema = z.object({
  attemptId: attemptIdSchema,
  /** Null: there was no check yet. */
  state: z.enum(["waiting", "running", ...checkEndStateSchema.options, "not-run"]).nullable(),
  /** Present in a race. */
  raceId: raceIdSchema.exactOptional(),
});
/** What lists show of an attempt with a check, or in a race. */
export type CheckBadge = z.infer<typeof checkBadgeSchema>;

/** The last check of an attempt; null if there was none. */
export const attemptCheckSchema = z.object({
  check: checkRunSchema.nullable(),
  /** Files have changed since; null if that is not known. */
  isOutdated: z.boolean().nullable(),
});
/** The last check of an attempt. */
export type AttemptCheck = z.infer<typeof attemptCheckSchema>;
