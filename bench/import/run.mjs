import { formatResults, judge } from "../results-table.mjs";
import { measureImport } from "./measure-import.mjs";

// node bench/import/run.mjs [lines] [rounds]: the figures of the import alone; fails when a target is missed.
const [lines = 100_000, rounds = 3] = process.argv.slice(2).map(Number);
const results = (await measureImport({ lines, rounds })).map(judge);
console.log(formatResults(results));
process.exitCode = results.every(({ met }) => met) ? 0 : 1;
