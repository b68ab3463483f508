import { pathToFileURL } from "node:url";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import { locateProgram } from "@skein/agents/locate-program";
import type { ToolProcessorFile } from "@skein/contracts";
import { type PresentedTool, parsePresentation, type ToolObservation } from "@skein/engine";
import type { LoadResult, ThreadAnswer, ThreadData, ThreadQuestion } from "./thread-protocol.ts";

/** Paid once per hanging file: it is not called again. */
const answerWithinMs = 500;
const loadWithinMs = 5000;
const maxRemembered = 1000;

/** One of the user's files, loaded in its own worker thread, so that a hang or crash affects no other file. */
export interface ToolProcessorThread {
  readonly about: ToolProcessorFile;
  claims(toolName: string): boolean;
  /** Blocks until the thread has responded or timed out. Throws an `Error` for the user if there is no presentation. */
  present(observation: ToolObservation): PresentedTool;
  close(): Promise<void>;
}

/** Resolves when the file is loaded or has failed to load. Never rejects. */
export async function startToolProcessorThread(input: {
  file: string;
  path: string;
  now(): number;
  onFailure(reason: string): void;
}): Promise<ToolProcessorThread> {
  const { file, now } = input;
  const { port1: port, port2 } = new MessageChannel();
  const answers = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(locateProgram(new URL("./tool-processor-program.ts", import.meta.url)), {
    name: `tool processor ${file}`,
    workerData: { file: pathToFileURL(input.path).href, port: port2, answers } satisfies ThreadData,
    transferList: [port2],
    // isolated from the server: no environment, no output
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  port.unref();
  let about: ToolProcessorFile = { file, toolNames: [], recognises: false, state: "ready", error: null };
  const recognised = new Map<string, boolean>();

  function fail(reason: string, state: ToolProcessorFile["state"] = about.state): void {
    if (about.error?.reason !== reason) input.onFailure(reason);
    about = { ...about, state, error: { reason, at: now() } };
    if (state !== "ready") void worker.terminate();
  }

  function ask(question: ThreadQuestion): unknown {
    const before = Atomics.load(answers, 0);
    port.postMessage(question);
    const waited = Atomics.wait(answers, 0, before, answerWithinMs);
    const answer = waited === "timed-out" ? undefined : (receiveMessageOnPort(port)?.message as ThreadAnswer | undefined);
    if (answer === undefined) {
      fail(`it did not answer within ${answerWithinMs} ms; it is not asked again until it changes or Skein restarts`, "disabled");
      throw new Error(about.error?.reason);
    }
    if ("failure" in answer) throw new Error(answer.failure);
    return JSON.parse(answer.json);
  }

  const loaded = await load(worker);
  worker.unref();
  if ("failure" in loaded) fail(loaded.failure, "failed");
  else about = { ...about, ...loaded };
  // for example a file that ends its own thread or runs out of memory
  worker.on("error", (error) => fail(`its thread failed: ${error instanceof Error ? error.message : String(error)}`, "disabled"));
  worker.on("exit", () => about.state === "ready" && fail("its thread has ended", "disabled"));

  return {
    get about() {
      return about;
    },
    claims(toolName) {
      if (about.state === "failed") return false;
      if (about.toolNames.includes(toolName)) return true;
      if (!about.recognises) return false;
      const known = recognised.get(toolName);
      if (known !== undefined || about.state === "disabled") return known === true;
      let claims = false;
      try {
        claims = ask({ type: "recognises", toolName }) === true;
      } catch (error) {
        if (about.state === "ready") fail((error as Error).message);
      }
      if (recognised.size < maxRemembered) recognised.set(toolName, claims);
      return claims;
    },
    present(observation) {
      if (about.state !== "ready") throw new Error(about.error?.reason);
      try {
        return parsePresentation(ask({ type: "present", observation }), observation);
      } catch (error) {
        if (about.state === "ready") fail((error as Error).message);
        throw error;
      }
    },
    async close() {
      port.close();
      await worker.terminate();
    },
  };
}

function load(worker: Worker): Promise<LoadResult> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ failure: `it did not load within ${loadWithinMs / 1000} s` }), loadWithinMs);
    const end = (result: LoadResult) => {
      clearTimeout(timer);
      resolve(result);
    };
    worker.once("message", end);
    worker.once("error", (error) => end({ failure: `it could not be loaded: ${error instanceof Error ? error.message : String(error)}` }));
    worker.once("exit", () => end({ failure: "it ended its own thread while it was loaded" }));
  });
}
