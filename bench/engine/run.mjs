import { formatResults, judge } from "../results-table.mjs";
import { measureEngine } from "./measure-engine.mjs";

// node bench/engine/run.mjs: the figures of the engine alone; fails when a target is missed.
const results = (await measureEngine()).map(judge);
console.log(formatResults(results));
process.exitCode = results.every(({ met }) => met) ? 0 : 1;
