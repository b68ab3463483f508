import type { AgentId } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import type { ServiceContext } from "./service-context.ts";

/**
 * Resolves the model of a new attempt; null if the agent chooses. Rejects if the agent is unknown or cannot use the model, so that
 * nothing is created for it. `mustStart` also rejects an agent that is not installed: for requests that send a message at once.
 */
export async function checkAgent(
  { agents: { adapters } }: Pick<ServiceContext, "agents">,
  { agent, model }: { agent: AgentId; model?: string | undefined },
  { directory, mustStart, keys = {} }: { directory: string; mustStart: boolean; keys?: Readonly<Record<string, string>> },
): Promise<string | null> {
  const adapter = adapters.get(agent);
  if (adapter === undefined) {
    throw new ServiceError("invalid", { code: "agent-not-available", agent, known: [...adapters.keys()] });
  }
  const info = mustStart || model === undefined ? await adapter.describe() : undefined;
  // the server may have no key for any model, and the user one for this
  const hasOwnModel = adapter.findModelProblem !== undefined && model !== undefined && Object.keys(keys).length > 0;
  if (mustStart && info?.available === false && !hasOwnModel) {
    const hint = info.hintText === undefined ? {} : { hint: info.hintText };
    throw new ServiceError("invalid", { code: "agent-not-available", agent: adapter.name, ...hint });
  }
  const chosen = model ?? info?.defaultModel ?? null;
  const problem = chosen === null ? undefined : await adapter.findModelProblem?.(chosen, { directory, keys });
  if (problem !== undefined) throw new ServiceError("invalid", { code: "model-not-usable", reason: problem });
  return chosen;
}
