import { useQuery } from "@tanstack/react-query";
import { agentsQuery } from "../api/queries.ts";
import { agentName } from "./agent-name.ts";

/** Returns the name of an agent; a name from the settings takes precedence. */
export function useAgentName(): (id: string) => string {
  const { data } = useQuery(agentsQuery);
  return (id) => (id.includes(":") ? (data?.agents.find((agent) => agent.id === id)?.name ?? agentName(id)) : agentName(id));
}
