import type { AgentId } from "@skein/contracts";
import type { ServiceContext } from "./service-context.ts";

/** The agent for requests that name none, and its default model; null if the agent chooses. */
export function findDefaultAgent({ agents, settings }: Pick<ServiceContext, "agents" | "settings">): {
  agent: AgentId;
  model: string | null;
} {
  const { agent, model } = settings.defaults();
  const chosen = agent ?? "native";
  // the default agent may have been removed; its model is then ignored, too
  return agents.adapters.has(chosen) ? { agent: chosen, model } : { agent: "native", model: null };
}
