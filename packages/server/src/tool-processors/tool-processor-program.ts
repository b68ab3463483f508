/*
 * Runs one of the user's tool processor files in a worker thread. The server's thread waits for each response with a time limit,
 * whatever happens here.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { ToolProcessor } from "@skein/engine";
import type { LoadResult, ThreadAnswer, ThreadData, ThreadQuestion } from "./thread-protocol.ts";

const maxAnswerLength = 1_000_000;
const { file, port, answers } = workerData as ThreadData;
let processors: readonly ToolProcessor[] = [];

port.on("message", (question: ThreadQuestion) => {
  const answer = answerTo(question);
  port.postMessage(answer);
  Atomics.add(answers, 0, 1);
  Atomics.notify(answers, 0);
});

parentPort?.postMessage(await load());

async function load(): Promise<LoadResult> {
  try {
    processors = readExports(await import(file));
    const toolNames = [...new Set(processors.flatMap((processor) => [...processor.toolNames]))];
    return { toolNames, recognises: processors.some(({ recognises }) => recognises !== undefined) };
  } catch (error) {
    return { failure: `it could not be loaded: ${describe(error)}` };
  }
}

/** A default export, `processor` or `processors`: one processor or a list. */
function readExports(module: Record<string, unknown>): ToolProcessor[] {
  const exported = module.default ?? module.processors ?? module.processor;
  const found: unknown[] = Array.isArray(exported) ? exported : [exported];
  if (exported === undefined || found.length === 0) throw new Error("it exports no tool processor as default, processor or processors");
  return found.map(readProcessor);
}

function readProcessor(value: unknown): ToolProcessor {
  if (typeof value !== "object" || value === null) throw new Error("what it exports is no tool processor");
  const processor = value as ToolProcessor;
  const { toolNames, recognises, present } = value as Record<keyof ToolProcessor, unknown>;
  if (!Array.isArray(toolNames) || !toolNames.every((name) => typeof name === "string")) throw new Error("toolNames is no list of names");
  if (recognises !== undefined && typeof recognises !== "function") throw new Error("recognises is no function");
  if (typeof present !== "function") throw new Error("present is no function");
  return processor;
}

function answerTo(question: ThreadQuestion): ThreadAnswer {
  try {
    const value =
      question.type === "recognises"
        ? processors.some((processor) => processor.recognises?.(question.toolName) === true)
        : present(question);
    const json = JSON.stringify(value) ?? "null";
    return json.length > maxAnswerLength ? { failure: "present returned more than a million characters" } : { json };
  } catch (error) {
    return { failure: `${question.type} threw ${describe(error)}` };
  }
}

function present({ observation }: Extract<ThreadQuestion, { type: "present" }>): unknown {
  const { toolName } = observation;
  const processor =
    processors.findLast(({ toolNames }) => toolNames.includes(toolName)) ??
    processors.findLast((candidate) => candidate.recognises?.(toolName) === true);
  const presented: unknown = processor?.present(observation);
  if (presented instanceof Promise) throw new TypeError("present must return its answer, not a promise");
  return presented;
}

function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.replaceAll(/\s+/g, " ").slice(0, 300);
}
