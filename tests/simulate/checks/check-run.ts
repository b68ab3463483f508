import type { ConversationMessage } from "@skein/contracts";
import type { Journal } from "./read-journal.ts";

/** An execution as it is stored. */
export interface StoredRun {
  number: number;
  status: string;
  /** The messages of the execution, in the order of the conversation. */
  messages: readonly ConversationMessage[];
  /** Ends that faults explain. */
  disturbed: ReadonlySet<"agent-killed" | "stopped" | "machine-lost">;
}

const invariants = {
  once: "no execution runs twice",
  ends: "executions succeed unless a fault explains their end",
  stored: "every line of an execution is stored once",
  order: "messages are in the order in which they were printed",
  asked: "every message of a user is stored once",
};

/** Compares a stored execution with the agent's journal. Returns pairs of an invariant and what violates it. */
export function checkRun(run: StoredRun, journal: Journal): [invariant: string, detail: string][] {
  const problems: [string, string][] = [];
  const name = `run ${run.number} (${run.status})`;
  if (journal.starts > 1) problems.push([invariants.once, `${name}: its agent was started ${journal.starts} times`]);
  if (!isExplained(run)) problems.push([invariants.ends, `${name}: disturbed by ${[...run.disturbed].join(", ") || "nothing"}`]);
  if (run.status === "success" && !journal.isComplete) problems.push([invariants.ends, `${name}: its agent did not finish`]);
  const asked = run.messages.filter(({ role, content }) => role === "user" && content.includes(`run=${run.number} `)).length;
  if (asked !== 1) problems.push([invariants.asked, `${name}: ${asked} times`]);

  const found = run.messages.filter(({ role }) => role !== "user").flatMap((message) => listParts(message, run.number));
  const counts = new Map<number, number>();
  for (const { part } of found) counts.set(part, (counts.get(part) ?? 0) + 1);
  const doubled = [...counts].filter(([, count]) => count > 1).map(([part]) => part);
  if (doubled.length > 0) problems.push([invariants.stored, `${name}: parts ${doubled.slice(0, 10).join(", ")} are stored more than once`]);
  const complete = new Set(found.filter(({ isWhole }) => isWhole).map(({ part }) => part));
  // what an agent printed last may be lost only with its machine; it notes a part before it prints it
  const mayMiss = run.status === "success" ? 0 : run.disturbed.has("machine-lost") ? journal.parts.length : 1;
  const missing = journal.parts.filter((part) => !complete.has(part));
  const isTail = missing.every((part, index) => part === journal.parts[journal.parts.length - missing.length + index]);
  if (missing.length > mayMiss || !isTail) {
    problems.push([
      invariants.stored,
      `${name}: parts ${missing.slice(0, 10).join(", ")} of ${journal.parts.length} are missing (${missing.length})`,
    ]);
  }
  const unknown = [...complete].filter((part) => !journal.parts.includes(part));
  if (unknown.length > 0) problems.push([invariants.stored, `${name}: parts ${unknown.slice(0, 10).join(", ")} were never printed`]);
  const positions = found.filter(({ isFirst }) => isFirst).map(({ part }) => part);
  const wrong = positions.findIndex((part, index) => index > 0 && part < (positions[index - 1] ?? 0));
  if (wrong >= 0) problems.push([invariants.order, `${name}: part ${positions[wrong]} after ${positions[wrong - 1]}`]);
  return problems;
}

function isExplained({ status, disturbed }: StoredRun): boolean {
  if (status === "success") return true;
  if (status === "cancelled") return disturbed.has("stopped");
  if (status === "failed") return disturbed.has("agent-killed");
  return status === "interrupted" && (disturbed.has("machine-lost") || disturbed.has("agent-killed") || disturbed.has("stopped"));
}

interface FoundPart {
  part: number;
  /** Begin and end are there. */
  isWhole: boolean;
  /** Its place in the conversation is that of its message: a result is in the card of its call. */
  isFirst: boolean;
}

function listParts(message: ConversationMessage, run: number): FoundPart[] {
  const texts = message.messageType === "tool_execution" ? [firstText(message.metadata.input), message.metadata.output] : [message.content];
  return texts.flatMap((text, index) => findParts(text, run).map((part) => ({ ...part, isFirst: index === 0 })));
}

/** An edit repeats its token in the new text. */
const firstText = (input: unknown): string => {
  const { new_string: _, ...rest } = (input ?? {}) as Record<string, unknown>;
  return JSON.stringify(rest);
};

function findParts(text: string, run: number): { part: number; isWhole: boolean }[] {
  return [...text.matchAll(new RegExp(`«${run}:(\\d+):\\d+»`, "g"))].map(([, part]) => ({
    part: Number(part),
    isWhole: text.includes(`«/${run}:${part}»`),
  }));
}
