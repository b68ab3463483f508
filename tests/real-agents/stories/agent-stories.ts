import type { TestedAgent } from "../agents/tested-agent.ts";
import { describeContinuing } from "./continue-story.ts";
import { describeErrors } from "./error-stories.ts";
import { describePermissions } from "./permission-stories.ts";
import { describeWork } from "./work-stories.ts";

/** Every story of the matrix, for one agent. */
export function describeAgent(agent: TestedAgent, expected: AgentExpectations): void {
  describeWork(agent, expected);
  describePermissions(agent, expected);
  describeContinuing(agent);
  describeErrors(agent);
}

/** What differs between the agents in what Skein can show of them. */
export interface AgentExpectations {
  /** Where the diff of line 12 of a file begins. */
  diffStart: number;
  /** How what a command has printed when it is stopped becomes known: while it runs, with its end, or not at all. */
  keptOutput: "live" | "at-end" | "none";
}
