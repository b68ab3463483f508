import { isLong } from "../../support/long.ts";
import type { TestedAgent } from "../agents/tested-agent.ts";
import { describeContinuing } from "./continue-story.ts";
import { describeErrors } from "./error-stories.ts";
import { describePermissions } from "./permission-stories.ts";
import { describeWork } from "./work-stories.ts";

/** Every story of the matrix, for one agent. */
export function describeAgent(agent: TestedAgent, expected: AgentExpectations): void {
  describeWork(agent, expected);
  if (isLong || expected.permissionsLikeOf === undefined) describePermissions(agent, expected);
  describeContinuing(agent);
  describeErrors(agent);
}

/** Differences between the agents in what Skein can show. */
export interface AgentExpectations {
  /** Where the diff of line 12 of a file begins. */
  diffStart: number;
  /** When the output of a stopped command is reported: while it runs, at its end, or not at all. */
  keptOutput: "live" | "at-end" | "none";
  /**
   * Another agent that Skein asks and stops by the same code and that behaves the same: one story of the two is enough, except in a
   * long run.
   */
  permissionsLikeOf?: TestedAgent;
}
