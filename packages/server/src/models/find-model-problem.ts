import { isAbsolute } from "node:path";
import { ModelError } from "@skein/engine";
import { accessFor, type ModelAccess } from "./model-access.ts";

/** Why the native agent cannot use this model here, in one sentence. Asks no provider: a model that it does not have is found by the first request. */
export async function findModelProblem(modelId: string, access: ModelAccess): Promise<string | undefined> {
  const [, script] = /^scripted\/(.*\.json)$/.exec(modelId) ?? [];
  // found from the attempt's folder, which does not exist yet
  if (script !== undefined && access.scripts === true && !isAbsolute(script)) return undefined;
  // loaded with the first attempt: a server at rest does not pay for it
  const { createModel } = await import("@skein/providers");
  try {
    await createModel(modelId, accessFor(modelId, access));
    return undefined;
  } catch (error) {
    if (error instanceof ModelError) return error.message;
    throw error;
  }
}
