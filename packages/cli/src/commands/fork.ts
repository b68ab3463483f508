import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import {
  attemptSchema,
  type CreateAttempt,
  executionIdSchema,
  executionSchema,
  type ForkPoint,
  type StartTask,
  startedTaskSchema,
} from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { parseIdPrefix, resolveAttempt } from "../ids/resolve-id.ts";
import { canAsk, runInForeground } from "./run.ts";

export interface ForkOptions {
  home?: string;
  /** Default: the last one. */
  execution?: string;
  /** From before the execution and its message. */
  before?: boolean;
  /** Sent at once; `-` reads it from standard input. */
  message?: string;
  agent?: string;
  model?: string;
  json?: boolean;
}

/** `skein fork`: a new attempt with the files and the history of an earlier one, up to an execution. */
export async function fork(id: string, options: ForkOptions): Promise<number> {
  const prefix = parseIdPrefix(id);
  const message = options.message === "-" ? await text(process.stdin) : options.message;
  if (message?.trim() === "") throw new CliError("The message is empty.", { exitCode: exitCode.usage });
  await using connection = await connect(options);
  const { client } = connection;
  const source = await client.get(`/api/attempts/${await resolveAttempt(client, prefix)}`, attemptSchema);
  const executionId = options.execution === undefined ? await findLast(client, source.id) : parseExecution(options.execution);
  const forkFrom: ForkPoint = { executionId, at: options.before ? "start" : "end" };
  const { agent = source.agent, model = agent === source.agent ? (source.model ?? undefined) : undefined } = options;
  const attempt: CreateAttempt = { agent, ...(model === undefined ? {} : { model }), permissionMode: source.permissionMode, forkFrom };
  if (message !== undefined) {
    const request: StartTask = { id: randomUUID(), task: { id: source.taskId }, attempt, message };
    const start = () => client.post("/api/starts", request, startedTaskSchema);
    return await runInForeground(client, { start, canAsk: canAsk(options.message ?? ""), json: options.json ?? false });
  }
  const made = await client.post(`/api/tasks/${source.taskId}/attempts`, attempt, attemptSchema);
  const place = `${options.before ? "before" : "after"} ${executionId}`;
  console.log(
    options.json
      ? JSON.stringify(made, null, 2)
      : `Forked attempt ${source.number} as attempt ${made.number} (${made.id}), with the files of ${place}, in ${made.directory}.`,
  );
  return exitCode.success;
}

async function findLast(client: ApiClient, attemptId: string): Promise<ForkPoint["executionId"]> {
  const last = (await client.get(`/api/attempts/${attemptId}/executions`, executionSchema.array())).at(-1);
  if (last !== undefined) return last.id;
  throw new CliError("The attempt has no execution to fork from.", { hint: "Send it a message first." });
}

function parseExecution(id: string): ForkPoint["executionId"] {
  const { data } = executionIdSchema.safeParse(id);
  if (data !== undefined) return data;
  throw new CliError(`“${id}” is not the id of an execution (exe_…).`, {
    hint: "See the ids: skein show --json",
    exitCode: exitCode.usage,
  });
}
