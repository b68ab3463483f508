import type { AgentId } from "@skein/contracts";
import type { ServiceContext } from "./service-context.ts";

/** The agent that starts what names none, and the model that was chosen for it; null where it chooses itself. */
export function findDefaultAgent({ agents, settings }: Pick<ServiceContext, "agents" | "settings">): {
  agent: AgentId;
  model: string | null;
} {
  const { agent, model } = settings.defaults();
  const chosen = agent ?? "native";
  // the one that was chosen may have been removed since, and its model goes with it
  return agents.adapters.has(chosen) ? { agent: chosen, model } : { agent: "native", model: null };
}
