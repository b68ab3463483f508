import type { AgentList, StartRace } from "@skein/contracts";
import { chooseAgent } from "./choose-agent.ts";

/** Another agent for the same message. */
export interface OtherRacer {
  /** Stays the same while its agent changes. */
  key: number;
  agent: string;
  /** Null: the agent's own default. */
  model: string | null;
}

/** The next one to propose: an agent that is not in the race yet, else the default one again. */
export function proposeRacer(list: AgentList, chosen: readonly string[], key: number): OtherRacer | undefined {
  const available = list.agents.filter((agent) => agent.available);
  const agent = available.find(({ id }) => !chosen.includes(id)) ?? chooseAgent(list);
  return agent && { key, agent: agent.id, model: agent.defaultModel ?? null };
}

type Racer = StartRace["attempts"][number];

/** The attempts of a race: the one of the bar, and the others with its settings. */
export function toRaceAttempts(first: Racer, others: readonly OtherRacer[]): Racer[] {
  const { model: _own, ...common } = first;
  return [first, ...others.map(({ agent, model }) => ({ ...common, agent, ...(model === null ? {} : { model }) }))];
}
