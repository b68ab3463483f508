// Checks that docs/agents.md matches the results of the tests with real agents, at the installed versions.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findDifferences, findGaps, mergeCells, sortCells } from "../tests/real-agents/matrix/matrix.ts";
import { renderMatrix } from "../tests/real-agents/matrix/render-matrix.ts";
import { SetupError } from "./setup/fail.mjs";
import { inRepository } from "./setup/repository.mjs";

const resultsFile = inRepository("tests/real-agents/matrix/results.json");
const document = inRepository("docs/agents.md");
const howToWrite = "Run: npm run test:agents -- --write";

const readCells = () => JSON.parse(readFileSync(resultsFile, "utf8"));
const readPinned = () => JSON.parse(readFileSync(inRepository("tests/real-agents/clis/package.json"), "utf8")).dependencies;

/** After a run: its results must match the matrix. Stories that did not run are not compared. */
export function compareWithMatrix(ran) {
  const differences = findDifferences(readCells(), ran);
  if (differences.length > 0) throw new SetupError(`docs/agents.md is out of date. ${howToWrite}\n${differences.join("\n")}`);
}

/** After a run with `--write`. A partial run updates its part of the matrix; the document is written if no cell is missing or fails. */
export function writeMatrix(ran) {
  const cells = sortCells(mergeCells(readCells(), ran));
  writeFileSync(resultsFile, `${JSON.stringify(cells, null, 2)}\n`);
  const gaps = findGaps(cells, readPinned());
  if (gaps.length > 0) throw new SetupError(`docs/agents.md was not written:\n${gaps.join("\n")}`);
  writeFileSync(document, renderMatrix(cells));
}

function findProblems() {
  const cells = readCells();
  const gaps = findGaps(cells, readPinned());
  if (gaps.length > 0) return gaps;
  return readFileSync(document, "utf8") === renderMatrix(cells) ? [] : ["docs/agents.md does not match the test results."];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = findProblems();
  if (problems.length > 0) console.error(`${problems.join("\n")}\n${howToWrite}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
