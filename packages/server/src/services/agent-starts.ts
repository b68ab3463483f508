import { createHash } from "node:crypto";
import type { Actor, AttemptId } from "@skein/contracts";
import { ServiceError, type StorageReader, type StorageTransaction } from "@skein/engine";

/**
 * Counts an execution, or a message that waits in a queue, for the token that it was sent with, and rejects it if a limit of the token is reached
 * (M1). Part of the transaction that saves it. Does nothing for what users send without an API token.
 */
export async function countAgentStart(
  tx: StorageTransaction,
  { subject, attemptId, by, at }: { subject: string; attemptId: AttemptId; by: Actor | undefined; at: number },
): Promise<void> {
  if (by?.tokenId === undefined) return;
  const { tokenId, agent } = by;
  const above = agent === undefined ? undefined : await tx.findAgentStart({ subject: agent.executionId });
  const root = above?.root ?? agent?.executionId ?? tokenId;
  // a token of an agent outside of Skein is the root itself
  const depth = (above?.depth ?? 0) + 1;
  const limits = (await tx.findApiToken({ id: tokenId }))?.limits;
  if (limits !== undefined) {
    if (limits.depth !== null && depth > limits.depth) throw refusal({ code: "agent-depth-limit", limit: limits.depth });
    const { starts, costUsd } = await tx.sumAgentStarts({ root });
    if (limits.starts !== null && starts >= limits.starts) throw refusal({ code: "agent-start-limit", limit: limits.starts });
    if (limits.costUsd !== null && costUsd >= limits.costUsd)
      throw refusal({ code: "agent-cost-limit", limitUsd: limits.costUsd, costUsd });
  }
  const parent = { parentExecution: agent?.executionId ?? null, parentAttempt: agent?.attemptId ?? null };
  await tx.insertAgentStart({ subject, attemptId, tokenId, ...parent, root, depth, createdAt: at });
}

/** A message that is sent again counts below the same root as before. */
export async function repeatAgentStart(tx: StorageTransaction, { from, to, at }: { from: string; to: string; at: number }): Promise<void> {
  const start = await tx.findAgentStart({ subject: from });
  if (start !== undefined) await tx.insertAgentStart({ ...start, subject: to, createdAt: at });
}

/** Identifies the content of a request, without the id that was chosen for it. */
export function hashRequest({ id: _id, ...content }: { id?: string | undefined }): string {
  return createHash("sha256").update(toCanonicalJson(content)).digest("base64url");
}

/** Rejects an id that was used for other content: the first result would be taken for that of another request. */
export async function refuseReusedId(reader: StorageReader, request: { id: string }): Promise<void> {
  const known = await reader.findCommandHash({ id: request.id });
  if (known !== undefined && known !== hashRequest(request)) throw new ServiceError("conflict", { code: "request-id-reused" });
}

function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

type Refusal = Extract<ConstructorParameters<typeof ServiceError>[1], { code: `agent-${string}-limit` }>;

function refusal(text: Refusal): ServiceError {
  return new ServiceError("forbidden", text);
}
