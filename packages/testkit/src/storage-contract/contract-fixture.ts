import type { SequencedEvent, SkeinEvent } from "@skein/contracts";
import type { Storage, StorageTransaction } from "@skein/engine";
import { afterEach, beforeEach } from "vitest";
import { buildAttempt } from "../builders/build-attempt.ts";
import { buildConversationMessage } from "../builders/build-conversation-message.ts";
import { buildExecution } from "../builders/build-execution.ts";
import { buildProject } from "../builders/build-project.ts";
import { buildTask } from "../builders/build-task.ts";
import { testId } from "../builders/test-id.ts";

export interface StorageContract {
  name: string;
  /** A new, empty storage. The suite closes it; the caller deletes its files. */
  open(): Promise<Storage>;
}

/** A storage for each test, and every batch of events that it published. */
export interface ContractFixture {
  readonly storage: Storage;
  readonly published: readonly (readonly SequencedEvent[])[];
}

export function useStorage({ open }: StorageContract): ContractFixture {
  let storage: Storage | undefined;
  let published: (readonly SequencedEvent[])[] = [];
  beforeEach(async () => {
    published = [];
    storage = await open();
    storage.onCommitted((events) => published.push(events));
  });
  afterEach(async () => {
    await storage?.close();
    storage = undefined;
  });
  return {
    get storage() {
      if (!storage) throw new Error("no test is running");
      return storage;
    },
    get published() {
      return published;
    },
  };
}

export const project = buildProject();
export const task = buildTask();
export const attempt = buildAttempt();
export const execution = buildExecution();
export const ofAttempt = { taskId: task.id, attemptId: attempt.id };
export const ofExecution = { attemptId: attempt.id, executionId: execution.id };

/** One project, one task, one active attempt and its running execution. */
export async function insertRunningExecution(tx: StorageTransaction): Promise<void> {
  await tx.insertProject(project);
  await tx.insertTask(task);
  await tx.insertAttempt(attempt);
  await tx.insertExecution(execution);
}

export function buildNumberedMessage(number: number) {
  return buildConversationMessage({ id: testId("msg", number), content: `Message ${number}` });
}

export async function listConversationIds(storage: Storage): Promise<string[]> {
  const { messages } = await storage.read.listConversationMessages({ attemptId: attempt.id, limit: 1000 });
  return messages.map((message) => message.id);
}

export async function listAllEvents(storage: Storage): Promise<SkeinEvent[]> {
  const events = await storage.read.listEvents({ after: 0, limit: 1000 });
  return events.map(({ event }) => event);
}
