import type { AgentId, AgentInfo, HostId } from "@skein/contracts";
import type { AgentProgram } from "@skein/engine";

/** The agents of a host: its programs, with its logins. */
export interface HostAgents {
  /** All agents, installed or not. `refresh` looks for their programs again. */
  list(input: { refresh: boolean }): Promise<AgentInfo[]>;
  /** How an agent is started there. `hostId`: on another host. Rejects with an `AgentUnusableError` if it cannot be. */
  getProgram(input: { agent: AgentId; hostId?: HostId }): Promise<AgentProgram>;
}
