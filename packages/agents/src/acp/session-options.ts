import { modelIdSchema, type SessionOptions } from "@skein/contracts";
import { truncateCodePoints } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";
import { findPlanMode, listOwnModes, readModels, type SessionChoice } from "./session-modes.ts";

const maxModels = 500;
const maxModes = 100;
const maxIdLength = 500;
const maxNameLength = 200;
const maxDescriptionLength = 1000;

/** The choices in the answer to `session/new` and similar requests. */
export function toSessionOptions(response: JsonObject): SessionOptions {
  const models = readModels(response);
  const currentModel = modelIdSchema.safeParse(models?.current).data;
  return {
    models: toListed(models?.choices ?? [], maxModels),
    ...(currentModel === undefined ? {} : { currentModel }),
    modes: toListed(listOwnModes(response), maxModes),
    hasPlanMode: findPlanMode(response) !== undefined,
  };
}

function toListed(choices: readonly SessionChoice[], limit: number): SessionOptions["models"] {
  return choices
    .filter(({ id }) => id !== "" && id.length <= maxIdLength)
    .slice(0, limit)
    .map(({ id, name, description }) => ({
      id,
      name: truncateCodePoints(name, maxNameLength),
      ...(description === undefined ? {} : { description: truncateCodePoints(description, maxDescriptionLength) }),
    }));
}
