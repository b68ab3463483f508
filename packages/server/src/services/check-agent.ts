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
  { directory, mustStart }: { directory: string; mustStart: boolean },
): Promise<string | null> {
  const adapter = adapters.get(agent);
  if (adapter === undefined) {
    throw new ServiceError("invalid", { code: "agent-not-available", agent, known: [...adapters.keys()] });
  }
  const info = mustStart || model === undefined ? await adapter.describe() : undefined;
  if (mustStart && info?.available === false) {
    const hint = info.hintText === undefined ? {} : { hint: info.hintText };
    throw new ServiceError("invalid", { code: "agent-not-available", agent: adapter.name, ...hint });
  }
  const chosen = model ?? info?.defaultModel ?? null;
  const problem = chosen === null ? undefined : await adapter.findModelProblem?.(chosen, { directory });
  if (problem !== undefined) throw new ServiceError("invalid", { code: "model-not-usable", reason: problem });
  return chosen;
}
