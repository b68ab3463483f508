import { formatResults, judge } from "../results-table.mjs";
import { measureExport } from "./measure-export.mjs";

// node bench/export/run.mjs [messages] [rounds]: the figures of exports alone; fails when a target is missed.
const [messages = 100_000, rounds = 3] = process.argv.slice(2).map(Number);
const results = (await measureExport({ messages, rounds })).map(judge);
console.log(formatResults(results));
process.exitCode = results.every(({ met }) => met) ? 0 : 1;
