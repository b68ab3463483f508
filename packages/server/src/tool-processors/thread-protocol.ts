import type { MessagePort } from "node:worker_threads";
import type { ToolObservation } from "@skein/engine";

/** Start data of a file's thread. */
export interface ThreadData {
  /** URL of the file. */
  file: string;
  /** Carries requests and responses. */
  port: MessagePort;
  /** A counter that is incremented with every response; the server's thread waits on it. */
  answers: Int32Array;
}

/** The first message of a thread. */
export type LoadResult = { toolNames: string[]; recognises: boolean } | { failure: string };

export type ThreadQuestion = { type: "recognises"; toolName: string } | { type: "present"; observation: ToolObservation };

/** `json`: the processor's return value as text, so that only data crosses. */
export type ThreadAnswer = { json: string } | { failure: string };
