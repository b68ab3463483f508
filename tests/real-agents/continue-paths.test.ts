import { expect, test } from "vitest";
import { isLong } from "../support/long.ts";
import { mainAgents } from "./agents/main-agents.ts";
import { openTestedAgent } from "./agents/open-agents.ts";
import { addName, readNote, runChain } from "./stories/note-chain.ts";

const agents = Object.values(mainAgents);
const { native, claudeCode, codex, gemini, opencode } = mainAgents;

test("[E11] each agent continues another one, and itself, with the paths that it is sent: no earlier folder is touched", async () => {
  const task = await openTestedAgent(codex, { others: agents });
  await runChain(task, [codex, claudeCode, claudeCode, gemini, opencode, native, codex]);
});

test.runIf(isLong).for(agents)("[E11] $id is continued by every agent", async (first) => {
  const task = await openTestedAgent(first, { others: agents });
  const source = await addName(task, first);
  for (const next of agents) {
    const attempt = await addName(task, next, source);
    expect([readNote(source), readNote(attempt)]).toEqual([[first.id], [first.id, next.id]]);
  }
});
