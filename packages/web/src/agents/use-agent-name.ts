import { useQuery } from "@tanstack/react-query";
import { agentsQuery } from "../api/queries.ts";
import { agentName } from "./agent-name.ts";

/** As the person called it in the settings, where they did. */
export function useAgentName(): (id: string) => string {
  const { data } = useQuery(agentsQuery);
  return (id) => (id.includes(":") ? (data?.agents.find((agent) => agent.id === id)?.name ?? agentName(id)) : agentName(id));
}
