import { type Model, ModelError } from "@skein/engine";
import { listModels } from "./list-models.ts";
import { createDemoModel } from "./scripted/demo-model.ts";
import { createScriptModel } from "./scripted/script-model.ts";

export interface CreateModelOptions {
  /** Multiplies the scripted models' delays; 0 has none. */
  pace?: number;
  /** Where `scripted/<name>` looks for `<name>.json`. */
  scriptsDir?: string;
  /** What a relative `scripted/<path>.json` starts from. */
  cwd?: string;
}

/** @throws ModelError `unknown-model` when nothing here answers to that id, `bad-request` when a script cannot be read. */
export async function createModel(modelId: string, options: CreateModelOptions = {}): Promise<Model> {
  const slash = modelId.indexOf("/");
  const provider = slash === -1 ? modelId : modelId.slice(0, slash);
  const name = slash === -1 ? "" : modelId.slice(slash + 1);
  if (provider === "scripted" && name !== "") {
    const pace = options.pace ?? 1;
    if (name === "demo") return createDemoModel({ pace });
    return createScriptModel({ name, pace, scriptsDir: options.scriptsDir, cwd: options.cwd ?? process.cwd() });
  }
  const usable = listModels()
    .map((model) => model.id)
    .join(", ");
  throw new ModelError("unknown-model", `There is no model "${modelId}". Usable here: ${usable}, or scripted/<path to a script>.json.`);
}
