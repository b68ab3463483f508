import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt } from "@skein/contracts";
import { expect, test } from "vitest";
import { isLong } from "../support/long.ts";
import { type AgentName, agentNames, type FiveAgents, startFiveAgents } from "./five-agents.ts";

const readNote = ({ directory }: Pick<Attempt, "directory">): string[] =>
  existsSync(join(directory, "note.txt")) ? readFileSync(join(directory, "note.txt"), "utf8").trim().split("\n") : [];

/** Works as models do: with the paths that it was sent, the oldest of them. */
async function addName(agents: FiveAgents, agent: AgentName, from?: Attempt): Promise<Attempt> {
  let isFirst = false;
  const attempt = await agents.run(
    agent,
    (sent) => {
      const [seen] = sent.match(/\/[\w/.-]+\/note\.txt/) ?? [];
      isFirst = seen === undefined;
      return { command: `echo ${agent} >> ${seen ?? "$PWD/note.txt"}; echo $PWD/note.txt`, text: `It is in ${seen ?? "the note"}.` };
    },
    from === undefined ? {} : { continueFrom: from.id },
  );
  expect(isFirst).toBe(from === undefined);
  return attempt;
}

/** A chain of attempts, each of which continues the one before it, and none of which touches an earlier one. */
async function runChain(agents: FiveAgents, names: readonly AgentName[]): Promise<void> {
  const chain: Attempt[] = [];
  for (const name of names) {
    chain.push(await addName(agents, name, chain.at(-1)));
    expect(chain.map(readNote)).toEqual(chain.map((_, index) => names.slice(0, index + 1)));
    expect(readNote({ directory: agents.repository })).toEqual([]);
  }
}

test("[E11] each agent continues another one, and itself, with the paths that it is sent: no earlier folder is touched", async () => {
  await runChain(await startFiveAgents(), ["codex", "claude-code", "claude-code", "gemini", "opencode", "native", "codex"]);
});

test.runIf(isLong).each(agentNames)("[E11] %s is continued by every agent", async (first) => {
  const agents = await startFiveAgents();
  const source = await addName(agents, first);
  for (const next of agentNames) {
    const attempt = await addName(agents, next, source);
    expect([readNote(source), readNote(attempt)]).toEqual([[first], [first, next]]);
  }
});
