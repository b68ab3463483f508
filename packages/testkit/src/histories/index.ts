export { anyHistory, type HistoryOptions } from "./any-history.ts";
export { anyImage } from "./any-image.ts";
export { anyText } from "./any-text.ts";
export { anyCallId, anyToolName } from "./any-tool-call.ts";
export { buildImage } from "./build-image.ts";
