import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt } from "@skein/contracts";
import { expect, vi } from "vitest";
import type { TestedTask } from "../agents/open-agents.ts";
import type { TestedAgent } from "../agents/tested-agent.ts";

export const readNote = ({ directory }: Pick<Attempt, "directory">): string[] =>
  existsSync(join(directory, "note.txt")) ? readFileSync(join(directory, "note.txt"), "utf8").trim().split("\n") : [];

/** An attempt whose model uses the oldest path that it was sent, as models do. Resolves when it has succeeded. */
export async function addName(task: TestedTask, agent: TestedAgent, from?: Attempt): Promise<Attempt> {
  const { api } = task.server;
  const attempt = await api.request<Attempt>("POST", `/api/tasks/${task.taskId}/attempts`, {
    agent: agent.id,
    permissionMode: "full",
    ...(agent.model === undefined ? {} : { model: agent.model }),
    ...(from === undefined ? {} : { continueFrom: from.id }),
  });
  let seen: string | undefined;
  task.models.get(agent)?.script(
    (sent) => {
      [seen] = sent.match(/\/[\w/.-]+\/note\.txt/) ?? [];
      return { toolCalls: [agent.run(`echo ${agent.id} >> ${seen ?? "$PWD/note.txt"}; echo $PWD/note.txt`)] };
    },
    () => ({ text: `It is in ${seen ?? "the note"}.` }),
  );
  await api.send(task.taskId, "Add your name to the note.");
  await vi.waitFor(async () => expect(await api.executions(attempt.id)).toMatchObject([{ status: "success", reason: null }]), {
    timeout: 120_000,
    interval: 200,
  });
  expect(seen === undefined).toBe(from === undefined);
  return attempt;
}

/** A chain of attempts, each of which continues the one before it, and none of which touches an earlier one. */
export async function runChain(task: TestedTask, agents: readonly TestedAgent[]): Promise<void> {
  const chain: Attempt[] = [];
  const names = agents.map(({ id }) => id);
  for (const agent of agents) {
    chain.push(await addName(task, agent, chain.at(-1)));
    expect(chain.map(readNote)).toEqual(chain.map((_, index) => names.slice(0, index + 1)));
    expect(readNote({ directory: task.repository })).toEqual([]);
  }
}
