import { describe, expect, it } from "vitest";
import { type Cell, findDifferences, findGaps, mergeCells, sortCells } from "./real-agents/matrix/matrix.ts";
import { renderMatrix } from "./real-agents/matrix/render-matrix.ts";
import { agentNames, storyNames } from "./real-agents/matrix/stories.ts";

const toVersions = (agent: string): Record<string, string> => (agent === "native" ? {} : { [`package-of-${agent}`]: "1.0.0" });
const cells = agentNames.flatMap((agent) =>
  storyNames.map((story): Cell => ({ agent, name: agent, versions: toVersions(agent), story, result: "works" })),
);
const pinned = Object.assign({}, ...agentNames.map(toVersions)) as Record<string, string>;
const [first] = cells;
if (first === undefined) throw new Error("no cells");

describe("the matrix of agents and stories", () => {
  it("has a gap where a cell is missing, fails or was tested with another version", () => {
    expect(findGaps(cells, pinned)).toEqual([]);
    expect(findGaps(cells.slice(1), pinned)).toEqual(["native: cards was not run"]);
    expect(findGaps([{ ...first, result: "fails" }, ...cells.slice(1)], pinned)).toEqual(["native: cards fails"]);
    expect(findGaps(cells, { ...pinned, "package-of-codex": "2.0.0" })).toHaveLength(storyNames.length);
  });

  it("is compared with what ran, and with nothing else", () => {
    expect(findDifferences(cells, cells.slice(3, 9))).toEqual([]);
    const changed: Cell = { ...first, result: "partly", note: "Less." };
    expect(findDifferences(cells, [changed])).toEqual(["native: cards: partly · Less.; docs/agents.md has: works"]);
    expect(findDifferences([], [first])).toHaveLength(1);
  });

  it("takes the worse of two results of one run, and keeps what did not run", () => {
    const fails: Cell = { ...first, result: "fails" };
    expect(sortCells(mergeCells(cells, [fails, first]))).toEqual([fails, ...cells.slice(1)]);
    expect(sortCells(mergeCells(cells.toReversed(), []))).toEqual(cells);
  });

  it("numbers its notes, one number for each text", () => {
    const note = "Not reported.";
    const noted = cells.map((cell): Cell => (cell.story === "tokens" ? { ...cell, result: "no", note } : cell));
    const page = renderMatrix(noted);
    expect(page.match(/– <sup>1<\/sup>/g)).toHaveLength(agentNames.length);
    expect(page).toContain(`## Notes\n\n1. ${note}\n`);
    expect(page).not.toContain("✗");
    expect(renderMatrix(cells.slice(1))).toContain("✗");
  });
});
