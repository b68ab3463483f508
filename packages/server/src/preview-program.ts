/*
 * Shows the next request of the native agent: its own preparation and the providers' formats meet here, in a process of
 * their own, so that the server never loads an SDK.
 */
import { runPreviewProgram } from "@skein/agents/preview-program";
import { captureRequest } from "@skein/providers";

await runPreviewProgram({
  async capture(modelId, request, { provider, access, directory }) {
    const { contextWindow, ...captured } = await captureRequest(modelId, request, { ...access, provider, cwd: directory });
    return { ...captured, window: contextWindow };
  },
});
