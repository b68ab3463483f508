import type { ModelFailureText } from "@skein/contracts";
import { ModelError } from "@skein/engine";
import { accessFor, type ModelAccess } from "./model-access.ts";

/** The reason why an execution with this model would fail before its first request: unknown provider, missing key or script. */
export async function findModelProblem(
  modelId: string,
  { access, directory }: { access: ModelAccess; directory: string },
): Promise<ModelFailureText | undefined> {
  // imported lazily, like in the agent's own program: an idle server does not pay for it
  const { createModel } = await import("@skein/providers");
  try {
    await createModel(modelId, { ...accessFor(modelId, access), cwd: directory });
    return undefined;
  } catch (error) {
    if (error instanceof ModelError) return error.text;
    throw error;
  }
}
