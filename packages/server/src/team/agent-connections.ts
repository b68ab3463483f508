import type { AgentLimits, Attempt } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import type { ConnectAgent } from "../executions/launch-agent.ts";
import { getProjectOf } from "../executions/project-of.ts";

/**
 * Lets an agent use Skein, if the user has allowed it for its project or attempt: with a token of its execution, for its project, which ends with
 * the execution (M1).
 */
export function createAgentConnections(options: {
  storage: Storage;
  now: () => number;
  findLimits: () => AgentLimits;
  /** The address of this server for the agent of an attempt; undefined if it cannot reach it. */
  findUrl: (attempt: Attempt) => Promise<string | undefined>;
}): ConnectAgent {
  const { storage } = options;
  return async ({ execution, attempt }, { name }) => {
    // read again: the user may have changed it since the message was queued
    const { agentAccess } = (await storage.read.findAttempt({ id: attempt.id })) ?? attempt;
    const project = await getProjectOf(storage.read, attempt);
    if (!(agentAccess ?? project.agentAccess ?? false)) return undefined;
    const url = await options.findUrl(attempt);
    if (url === undefined) return undefined;
    // loaded when the first agent needs it
    const { createTokenService } = await import("./tokens.ts");
    const token = await createTokenService(options).createForExecution(execution, {
      ...{ name, projectId: project.id, limits: options.findLimits() },
    });
    return { url: new URL("/mcp", url).href, token };
  };
}
