import { createHash } from "node:crypto";
import type { AttemptId, ExecutionId, ImportOrigin, MessageId, TaskId } from "@skein/contracts";

const crockford = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * Ids of imported rows: as those of `createId`, but derived from where they come from. An import that is repeated, or that was killed,
 * writes the same rows again.
 */
export interface ImportedIds {
  task(at: number): TaskId;
  attempt(at: number): AttemptId;
  execution(key: string, at: number): ExecutionId;
  /** Of the user's message that begins an execution. */
  message(executionId: ExecutionId): MessageId;
  /** Of a message whose id in its source does not name its execution. */
  foreignMessage(executionId: ExecutionId, key: string): MessageId;
}

export function createImportedIds(session: {
  source: ImportOrigin;
  id: string;
  generation: number;
  taskKey?: string | undefined;
}): ImportedIds {
  const scope = [session.source, session.id, String(session.generation)];
  return {
    task: (at) => toId("tsk", at, session.taskKey === undefined ? scope : [session.source, session.taskKey, scope[2] ?? ""]) as TaskId,
    attempt: (at) => toId("att", at, scope) as AttemptId,
    execution: (key, at) => toId("exe", at, [...scope, key]) as ExecutionId,
    message: (executionId) => `msg_${executionId.slice("exe_".length)}_user` as MessageId,
    foreignMessage: (executionId, key) =>
      `msg_${executionId.slice("exe_".length)}_f${toHash(["msg", ...scope, key]).slice(0, 16)}` as MessageId,
  };
}

function toId(prefix: string, at: number, parts: readonly string[]): string {
  let time = "";
  for (let rest = Math.max(0, Math.floor(at)), index = 0; index < 10; index++) {
    time = crockford.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  return `${prefix}_${time}${toHash([prefix, ...parts])}`;
}

function toHash(parts: readonly string[]): string {
  const bytes = createHash("sha256").update(JSON.stringify(parts)).digest();
  let hash = "";
  for (const byte of bytes.subarray(0, 16)) hash += crockford.charAt(byte % 32);
  return hash;
}
