export { toAnthropicRequest } from "./anthropic/to-anthropic-request.ts";
export { createModel } from "./create-model.ts";
export { boundCall } from "./models/bound-call.ts";
export { captureRequest } from "./preview/capture-request.ts";
