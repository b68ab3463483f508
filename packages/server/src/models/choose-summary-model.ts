import { findCheaperModel } from "@skein/providers/find-cheaper-model";
import { accessFor, type ModelAccess } from "./model-access.ts";

/**
 * The model that summarizes a model's conversations: the configured one, or a cheaper one of the same provider. Undefined: the model
 * itself, for example on a self-hosted server whose other models are unknown.
 */
export function chooseSummaryModel(
  modelId: string,
  { configured, access }: { configured: string | null; access: ModelAccess },
): string | undefined {
  if (configured !== null) return configured === modelId ? undefined : configured;
  const { environment, endpoints } = accessFor(modelId, access);
  const isOfficial = Object.keys(endpoints).length === 0 && !Object.keys(environment).some((name) => name.endsWith("_BASE_URL"));
  return isOfficial ? findCheaperModel(modelId) : undefined;
}
