export { type CreateModelOptions, createModel } from "./create-model.ts";
export { listModels } from "./list-models.ts";
export { countTokens } from "./scripted/count-tokens.ts";
export { type Script, scriptSchema } from "./scripted/script.ts";
