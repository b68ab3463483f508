import type { ModelFailureText } from "@skein/contracts";
import { ModelError } from "@skein/engine";
import { accessFor, type ModelAccess } from "./model-access.ts";

/** What an execution with this model would fail with before its first request: an unknown provider, a missing key, no such script. */
export async function findModelProblem(
  modelId: string,
  { access, directory }: { access: ModelAccess; directory: string },
): Promise<ModelFailureText | undefined> {
  // imported when it is first needed, as the agent's own program does: a server at rest does not pay for it
  const { createModel } = await import("@skein/providers");
  try {
    await createModel(modelId, { ...accessFor(modelId, access), cwd: directory });
    return undefined;
  } catch (error) {
    if (error instanceof ModelError) return error.text;
    throw error;
  }
}
