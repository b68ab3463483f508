import { readFile } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { type Model, ModelError } from "@skein/engine";
import { z } from "zod";
import { toConversationPosition } from "./conversation-position.ts";
import { type Script, scriptSchema } from "./script.ts";
import type { ScriptedResponse } from "./scripted-response.ts";
import { streamResponse } from "./stream-response.ts";

export interface ScriptModelOptions {
  /** A path that ends in `.json`, or the name of a script in `scriptsDir`. */
  name: string;
  pace: number;
  scriptsDir: string | undefined;
  cwd: string;
}

const afterTheEnd: ScriptedResponse = { text: "The script has no further steps." };

export async function createScriptModel(options: ScriptModelOptions): Promise<Model> {
  const id = `scripted/${options.name}`;
  const script = await readScript(id, findScriptFile(id, options));
  return {
    id,
    contextWindow: 200_000,
    stream(request, { signal }) {
      const position = toConversationPosition(request.messages);
      const step = script.steps[position.step];
      const response = step === undefined ? afterTheEnd : { ...step, chunkDelayMs: step.chunkDelayMs ?? 0 };
      return streamResponse({ response, request, position, pace: options.pace, signal });
    },
  };
}

function findScriptFile(id: string, { name, scriptsDir, cwd }: ScriptModelOptions): string {
  if (name.endsWith(".json")) return isAbsolute(name) ? name : resolve(cwd, name);
  if (scriptsDir !== undefined && /^[\w-][\w.-]*$/.test(name)) return join(scriptsDir, `${name}.json`);
  throw new ModelError(
    "unknown-model",
    `There is no model "${id}". Usable here: scripted/demo, or scripted/<path to a script>.json${scriptsDir === undefined ? "" : `, or scripted/<name> for <name>.json in ${scriptsDir}`}.`,
  );
}

async function readScript(id: string, file: string): Promise<Script> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    throw new ModelError("unknown-model", `The script of "${id}" cannot be read: there is no readable file ${file}.`, { cause });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ModelError("bad-request", `The script ${file} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
  const parsed = scriptSchema.safeParse(value);
  if (!parsed.success) {
    throw new ModelError("bad-request", `The script ${file} is not valid:\n${z.prettifyError(parsed.error)}`, { cause: parsed.error });
  }
  return parsed.data;
}
