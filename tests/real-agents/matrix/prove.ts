import type { TaskMeta } from "vitest";
import { readVersions, type TestedAgent } from "../agents/tested-agent.ts";
import type { Cell } from "./matrix.ts";
import type { Story } from "./stories.ts";

declare module "vitest" {
  interface TaskMeta {
    /** Written to the summary of the run, from which the matrix is generated. */
    agentCells?: Cell[];
  }
}

/**
 * Runs one story of an agent and records its result for the matrix. Limits of the agent are proven as well: `story` is
 * given the limit and must fail once a later version does more.
 */
export async function prove(meta: TaskMeta, agent: TestedAgent, story: Story, body: () => void | Promise<void>): Promise<void> {
  const cells = (meta.agentCells ?? []).filter((cell) => cell.story !== story);
  const common = { agent: agent.id, name: agent.name, versions: readVersions(agent), story };
  meta.agentCells = [...cells, { ...common, result: "fails" }];
  await body();
  const limit = agent.limits[story];
  const proven: Cell = limit === undefined ? { ...common, result: "works" } : { ...common, result: limit.offered, note: limit.note };
  meta.agentCells = [...cells, proven];
}
