import type { AgentInfo, AgentList } from "@skein/contracts";

/** The server's default agent if it is available, else the first that is. */
export function chooseAgent({ agents, defaultAgent }: AgentList): AgentInfo | undefined {
  const available = agents.filter((agent) => agent.available);
  return (
    available.find((agent) => agent.id === defaultAgent) ?? available[0] ?? agents.find((agent) => agent.id === defaultAgent) ?? agents[0]
  );
}
