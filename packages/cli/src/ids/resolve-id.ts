import { type AttemptId, attemptIdSchema, attemptSchema, foundIdsSchema, type TaskId, taskIdSchema, taskSchema } from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import type { ApiClient } from "../client/api-client.ts";
import { exitCode } from "../exit-code.ts";

export interface ResolvedId {
  taskId: TaskId;
  /** The named attempt; null if the id is a task's. */
  attemptId: AttemptId | null;
}

/** Crockford's base 32, as in generated ids; after `tsk_` or `att_` any character that an id may contain. */
const form = /^(?:(?:tsk|att)_[0-9A-Za-z_-]{1,100}|[0-9a-hjkmnp-tv-zA-HJKMNP-TV-Z]{4,100})$/;

/** The beginning of an id as the user wrote it; `prefixes` has the kinds that it may be of. */
export interface IdPrefix {
  text: string;
  prefixes: readonly string[];
}

/** Throws a usage error for a text that no id begins with. */
export function parseIdPrefix(text: string): IdPrefix {
  if (!form.test(text)) {
    throw new CliError(`“${text}” is not the id of a task (tsk_…) or an attempt (att_…), or the beginning of one.`, {
      hint: "See the ids: skein tasks",
      exitCode: exitCode.usage,
    });
  }
  return { text, prefixes: /^(tsk|att)_/.test(text) ? [text] : [`tsk_${text.toLowerCase()}`, `att_${text.toLowerCase()}`] };
}

/**
 * The task or attempt whose id begins like this. A complete id is always found, even if others begin with it. Without its kind it is a
 * task's, if there is one: the first attempt of a task is often created in the same second.
 */
export async function resolveId(client: ApiClient, { text, prefixes }: IdPrefix): Promise<ResolvedId> {
  const answers = await Promise.all(prefixes.map((prefix) => client.get(`/api/ids?prefix=${prefix}`, foundIdsSchema)));
  const ids = answers.find((answer) => answer.ids.length > 0)?.ids ?? [];
  const id = ids.find((found) => prefixes.includes(found)) ?? (ids.length === 1 ? ids[0] : undefined);
  if (id !== undefined) return toResolved(client, id);
  if (ids.length === 0) {
    throw new CliError(`There is no task or attempt whose id begins with “${text}”.`, { hint: "See the ids: skein tasks --all" });
  }
  const more = answers.some(({ truncated }) => truncated) ? "\n  …" : "";
  throw new CliError(`“${text}” is ambiguous. Write more of the id.`, {
    hint: `It could be:\n${(await Promise.all(ids.map((found) => describe(client, found)))).map((line) => `  ${line}`).join("\n")}${more}`,
  });
}

/** The named attempt, or the active one of the task. */
export async function resolveAttempt(client: ApiClient, prefix: IdPrefix): Promise<AttemptId> {
  const { taskId, attemptId } = await resolveId(client, prefix);
  const id = attemptId ?? (await client.get(`/api/tasks/${taskId}`, taskSchema)).activeAttemptId;
  if (id !== null) return id;
  throw new CliError(`The task ${taskId} has no attempt yet.`, { hint: "Start one in the web UI: skein open" });
}

async function toResolved(client: ApiClient, id: TaskId | AttemptId): Promise<ResolvedId> {
  const task = taskIdSchema.safeParse(id);
  if (task.success) return { taskId: task.data, attemptId: null };
  const attemptId = attemptIdSchema.parse(id);
  return { taskId: (await client.get(`/api/attempts/${attemptId}`, attemptSchema)).taskId, attemptId };
}

async function describe(client: ApiClient, id: TaskId | AttemptId): Promise<string> {
  const { taskId, attemptId } = await toResolved(client, id);
  const { title } = await client.get(`/api/tasks/${taskId}`, taskSchema);
  return attemptId === null ? `${id}  ${title}` : `${id}  attempt of: ${title}`;
}
