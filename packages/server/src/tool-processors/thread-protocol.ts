import type { MessagePort } from "node:worker_threads";
import type { ToolObservation } from "@skein/engine";

/** What a file's thread is started with. */
export interface ThreadData {
  /** Its URL. */
  file: string;
  /** Carries questions and answers. */
  port: MessagePort;
  /** One number, counted up with every answer: the server's thread waits on it. */
  answers: Int32Array;
}

/** The first message of a thread. */
export type LoadResult = { toolNames: string[]; recognises: boolean } | { failure: string };

export type ThreadQuestion = { type: "recognises"; toolName: string } | { type: "present"; observation: ToolObservation };

/** `json` is what the processor returned, as text: nothing but data crosses. */
export type ThreadAnswer = { json: string } | { failure: string };
