import {
  type AgentLimits,
  type ApiToken,
  type CreateApiToken,
  createId,
  noAgentLimits,
  type RunningExecution,
  type UserId,
  userIdSchema,
} from "@skein/contracts";
import { ServiceError, type Storage, type StorageTransaction } from "@skein/engine";
import { createSecret } from "../browser-secret.ts";
import { hashSecret } from "./hash-secret.ts";
import { reportAccess } from "./sessions.ts";
import type { TokenService } from "./team-service.ts";
import { getUser } from "./users.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** The token of an execution ends with it; this is how long one may run. */
const executionDays = 30;

/** Creates, lists and revokes API tokens, with and without users. */
export function createTokenService({ storage, now }: { storage: Storage; now: () => number }): TokenService {
  const insert = async (
    tx: StorageTransaction,
    input: Pick<ApiToken, "userId" | "executionId" | "name" | "scope" | "projectIds" | "limits"> & { days: number },
  ) => {
    const { days, ...fields } = input;
    const at = now();
    const secret = createSecret("api");
    const token: ApiToken = { id: createId("tok", at), ...fields, createdAt: at, expiresAt: at + days * dayMs, lastUsedAt: null };
    await tx.insertApiToken({ ...token, tokenHash: hashSecret(secret) });
    return { ...token, token: secret };
  };

  return {
    async list({ userId } = {}) {
      const tokens = await storage.read.listApiTokens(userId === undefined ? {} : { userId });
      // those of executions end with them, and are shown with what they started
      return tokens.filter(({ expiresAt, executionId }) => expiresAt > now() && executionId === null);
    },
    create: (userId, { limits, ...input }) =>
      storage.transaction(async (tx) => {
        if (userId !== null) await checkUser(tx, userId, input.scope);
        return insert(tx, { ...input, userId, executionId: null, limits: toLimits(limits) });
      }),
    createForExecution: (execution, { name, projectId, limits }) =>
      storage.transaction(async (tx) => {
        // the launch is repeated
        await tx.deleteApiTokens({ executionId: execution.id });
        const userId = toUserId(execution);
        const fields = { executionId: execution.id, name, scope: "write", projectIds: [projectId], limits } as const;
        return (await insert(tx, { ...fields, userId, projectIds: [projectId], days: executionDays })).token;
      }),
    async remove(id, { userId } = {}) {
      const token = await storage.read.findApiToken({ id });
      if (token === undefined || (userId !== undefined && token.userId !== userId)) {
        throw new ServiceError("not-found", { code: "token-not-found", id });
      }
      await storage.transaction(async (tx) => {
        await tx.deleteApiTokens({ id });
        if (token.userId !== null) await reportAccess(tx, token.userId, now());
      });
    },
  };
}

function toLimits({ depth, starts, costUsd }: CreateApiToken["limits"]): AgentLimits {
  return { depth: depth ?? noAgentLimits.depth, starts: starts ?? noAgentLimits.starts, costUsd: costUsd ?? noAgentLimits.costUsd };
}

async function checkUser(tx: StorageTransaction, userId: UserId, scope: ApiToken["scope"]): Promise<void> {
  const user = await getUser(tx, userId);
  if (user.deactivatedAt !== null) throw new ServiceError("conflict", { code: "user-deactivated" });
  if (scope === "admin" && !user.isAdmin) throw new ServiceError("forbidden", { code: "admin-required" });
}

/** The user who sent the message: the agent has no more rights than that user. */
function toUserId({ by }: RunningExecution): UserId | null {
  return userIdSchema.safeParse(by?.id).data ?? null;
}
