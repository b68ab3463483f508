export { anyHistory } from "./any-history.ts";
export { anyText } from "./any-text.ts";
export { anyCallId, anyToolName } from "./any-tool-call.ts";
export { buildImage } from "./build-image.ts";
