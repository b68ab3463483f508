/*
 * Prints the next request of the native agent. A separate process that combines the agent's preparation and the providers' formats, so
 * that the server never loads an SDK.
 */
import { runPreviewProgram } from "@skein/agents/preview-program";
import { captureRequest } from "@skein/providers";

await runPreviewProgram({
  async capture(modelId, request, { provider, access, directory }) {
    const { contextWindow, ...captured } = await captureRequest(modelId, request, { ...access, provider, cwd: directory });
    return { ...captured, window: contextWindow };
  },
});
