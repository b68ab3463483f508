/*
 * The npm package `@skein/engine`: the part of the engine that needs nothing else of Skein. Its types name no other module, so that they
 * can be published without the schema library.
 */
export { type Compacted, type CompactOptions, compact } from "./compaction/compact.ts";
export { estimateHistoryTokens } from "./compaction/estimate-history-tokens.ts";
export { summaryInstructions } from "./compression/summary-prompt.ts";
export { type Converted, convert } from "./convert/convert.ts";
export type { ConversionLoss } from "./convert/neutral.ts";
export { type Repaired, repair } from "./repair/repair.ts";
export type { RepairChange } from "./repair/repair-change.ts";
export { type RepairMiddleware, repairMiddleware } from "./repair/repair-middleware.ts";
export type { RepairProvider } from "./repair/repair-provider.ts";
export type { PairRepair } from "./request/pair-repair.ts";
export { estimateTokens } from "./tokens/estimate-tokens.ts";
