import { test } from "vitest";
import { isLong } from "../../support/long.ts";
import { mainAgents } from "../agents/main-agents.ts";
import { openTestedAgent } from "../agents/open-agents.ts";
import type { TestedAgent } from "../agents/tested-agent.ts";
import { prove } from "../matrix/prove.ts";
import { runChain } from "./note-chain.ts";

export function describeContinuing(agent: TestedAgent): void {
  const other = agent === mainAgents.native ? mainAgents.codex : mainAgents.native;
  test.runIf(isLong)("[E3, E11] another agent continues its work, and it continues the other's", async ({ task: { meta } }) => {
    const task = await openTestedAgent(agent, { others: [other] });
    await prove(meta, agent, "continue", () => runChain(task, [agent, other, agent]));
  });
}
