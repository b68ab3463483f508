import type { AgentInfo, AgentList, CreateAttempt } from "@skein/contracts";

/** What one click starts: the server's default agent if it is there, else the first that is. */
export function chooseAgent({ agents, defaultAgent }: AgentList): AgentInfo | undefined {
  const available = agents.filter((agent) => agent.available);
  return (
    available.find((agent) => agent.id === defaultAgent) ?? available[0] ?? agents.find((agent) => agent.id === defaultAgent) ?? agents[0]
  );
}

export function defaultAttempt(list: AgentList): CreateAttempt | undefined {
  const agent = chooseAgent(list);
  if (!agent) return undefined;
  return {
    agent: agent.id,
    ...(agent.defaultModel ? { model: agent.defaultModel } : {}),
    ...(list.defaultPermissionMode ? { permissionMode: list.defaultPermissionMode } : {}),
  };
}
