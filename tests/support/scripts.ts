import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "./repository.ts";

export interface ScriptStep {
  text?: string;
  reasoning?: string;
  toolCalls?: { name: string; arguments: unknown }[];
  chunkDelayMs?: number;
  error?: { kind: string; message: string };
}

/** Writes a script for a model; returns the model id to start an attempt with. */
export function newScriptedModel(steps: ScriptStep[]): string {
  const file = join(newFolder("script"), "script.json");
  writeFileSync(file, JSON.stringify({ steps }));
  return `scripted/${file}`;
}

export const bash = (command: string) => ({ name: "bash", arguments: { command } });

/** Runs until there is a file `go` in the attempt's folder, so that a test can check the running state however slow the machine is. */
export const bashUntilGo = bash("until [ -e go ]; do sleep 0.05; done");
