import { agentNames, type Limit, type Story, storyNames } from "./stories.ts";

/** The result of a test run for one agent and one story. */
export interface Cell {
  agent: string;
  name: string;
  /** Of its npm packages; empty for Skein's own agent. */
  versions: Readonly<Record<string, string>>;
  story: Story;
  result: "works" | "fails" | Limit["offered"];
  /** If it is offered in part or not at all. */
  note?: string;
}

const toKey = ({ agent, story }: Cell): string => `${agent} ${story}`;

/** Replaces cells by those of a run. Of two results of one run for the same cell, the worse one counts. */
export function mergeCells(known: readonly Cell[], ran: readonly Cell[]): Cell[] {
  const merged = new Map(known.map((cell) => [toKey(cell), cell]));
  for (const cell of ran.toSorted((a, b) => Number(a.result === "fails") - Number(b.result === "fails"))) merged.set(toKey(cell), cell);
  return [...merged.values()];
}

/** Why the matrix is not complete: cells that are missing, that fail, or that were tested with other versions. */
export function findGaps(cells: readonly Cell[], pinned: Readonly<Record<string, string>>): string[] {
  const gaps: string[] = [];
  for (const agent of agentNames) {
    for (const story of storyNames) {
      const cell = cells.find((one) => one.agent === agent && one.story === story);
      if (cell === undefined) gaps.push(`${agent}: ${story} was not run`);
      else if (cell.result === "fails") gaps.push(`${agent}: ${story} fails`);
      for (const [name, version] of Object.entries(cell?.versions ?? {})) {
        if (pinned[name] !== version)
          gaps.push(`${agent}: ${story} was run with ${name} ${version}, not ${pinned[name] ?? "installed now"}`);
      }
    }
  }
  return gaps;
}

/** How the cells of a run differ from the matrix; cells that did not run are not compared. */
export function findDifferences(matrix: readonly Cell[], ran: readonly Cell[]): string[] {
  return ran.flatMap((cell) => {
    const known = matrix.find((one) => toKey(one) === toKey(cell));
    const isSame = JSON.stringify(known) === JSON.stringify(cell);
    return isSame
      ? []
      : [
          `${cell.agent}: ${cell.story}: ${describeCell(cell)}; docs/agents.md has: ${known === undefined ? "nothing" : describeCell(known)}`,
        ];
  });
}

function describeCell({ result, note, versions }: Cell): string {
  return [result, note, Object.values(versions).join(", ")].filter((part) => part !== undefined && part !== "").join(" · ");
}

/** In the order of agents and stories, so that the file changes only where a result does. */
export function sortCells(cells: readonly Cell[]): Cell[] {
  return agentNames.flatMap((agent) => storyNames.flatMap((story) => cells.filter((cell) => cell.agent === agent && cell.story === story)));
}
