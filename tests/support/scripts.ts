import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "./repository.ts";

export interface ScriptStep {
  text?: string;
  reasoning?: string;
  toolCalls?: { name: string; arguments: unknown }[];
  chunkDelayMs?: number;
  error?: { kind: string; message: string; retryAfterMs?: number };
  costUsd?: number;
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

/** Each command appends its number to count.txt; texts stream slowly enough to be cut anywhere by a fault. */
export const countingSteps = (count: number): ScriptStep[] =>
  Array.from({ length: count }, (_, step) => ({
    text: `Step ${step}: a sentence that is long enough to arrive in several pieces, so that a fault can fall into its middle.`,
    toolCalls: [bash(`echo ${step} >> count.txt; sleep 0.3; echo step ${step} done`)],
    chunkDelayMs: 15,
  }));

/** The end of such a script. */
export const countingEnd: ScriptStep = { text: "All steps are done.", chunkDelayMs: 15 };

/** What count.txt contains when each command has run once, in order. */
export const countedLines = (count: number): string => Array.from({ length: count }, (_, step) => `${step}\n`).join("");
