import { z } from "zod";
import { agentIdSchema } from "./agent.ts";
import { attemptSchema } from "./attempt.ts";
import { budgetSchema } from "./budget.ts";
import { commandIdSchema, commandImagesSchema, commandMessageSchema } from "./command.ts";
import { sequenceSchema } from "./event.ts";
import { createAttemptSchema } from "./http.ts";
import { executionIdSchema, raceIdSchema } from "./ids.ts";
import { startTaskSchema } from "./start-task.ts";
import { taskSchema } from "./task.ts";

/** How many attempts a race may have. */
export const maxRacers = 8;

/** An attempt of a race. All of them have their own worktree, and the same base unless they say otherwise. */
const racerSchema = createAttemptSchema
  .omit({ id: true, isolation: true, continueFrom: true, forkFrom: true, session: true })
  .extend({ agent: agentIdSchema });

/** One message for several attempts at once (L4), at an existing task. */
export const raceTaskSchema = z.object({
  /** Chosen by the client. Repeating an id returns the result of the first request, and creates nothing else. Default: a new one. */
  id: commandIdSchema.optional(),
  message: commandMessageSchema,
  images: commandImagesSchema,
  attempts: z.array(racerSchema).min(2).max(maxRacers),
  /** What all executions of the task may use; replaces the task's own budget (L2). */
  budget: budgetSchema.optional(),
});

/** The same with the task: a new one, or an existing one. */
export const startRaceSchema = raceTaskSchema.extend({ id: commandIdSchema, task: startTaskSchema.shape.task });
/** The body of `POST /api/races`, as clients send it. */
export type StartRace = z.input<typeof startRaceSchema>;

/** What a race created; `executionIds` in the order of `attempts`. */
export const startedRaceSchema = z.object({
  task: taskSchema,
  raceId: raceIdSchema,
  attempts: z.array(attemptSchema),
  executionIds: z.array(executionIdSchema),
  /** All events about it have higher sequence numbers. */
  after: sequenceSchema,
});
/** What a race created. */
export type StartedRace = z.infer<typeof startedRaceSchema>;
