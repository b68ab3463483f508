import { readdirSync, readFileSync } from "node:fs";
import { createClaudeCodeDecoder } from "@skein/agents";
import { createMessageProcessor } from "@skein/engine";
import { inRepository } from "../../scripts/setup/repository.mjs";
import { quietTimes } from "./rounds.mjs";

const folder = inRepository("packages/agents/src/claude-code/__fixtures__");
/** Of many short rounds: what others do on the machine slows down allocations most, and between their turns some are undisturbed. */
const part = 0.05;

/** Recorded lines of Claude Code to conversation messages and protocol messages, compared with only parsing their JSON. */
export async function measureAgentLines({ rounds, warmUps }) {
  const recordings = readdirSync(folder)
    .filter((name) => name.endsWith(".ndjson") && !name.endsWith(".bidi.ndjson"))
    .map((name) => toLogLines(readFileSync(`${folder}/${name}`, "utf8")));
  const lineCount = recordings.reduce((sum, lines) => sum + lines.length, 0);
  const [parsed, processed] = await quietTimes(
    [
      { run: () => recordings.forEach((lines) => void parseAll(lines)) },
      { run: () => recordings.forEach((lines) => void processAll(lines)) },
    ],
    { rounds, warmUps, part },
  );
  return [
    {
      name: "recorded Claude Code lines to messages, compared with bare JSON.parse",
      value: parsed / processed,
      unit: "× as fast",
      target: 0.5,
      atLeast: true,
      note: `${((processed / lineCount) * 1000).toFixed(1)} µs to ${((parsed / lineCount) * 1000).toFixed(1)} µs a line, fastest twentieth of ${rounds}`,
    },
  ];
}

/** A line that is no JSON is part of a recording, too. */
function parseAll(lines) {
  for (const { text } of lines) {
    try {
      JSON.parse(text);
    } catch {}
  }
}

function processAll(lines) {
  const decoder = createClaudeCodeDecoder({ executionId: "exe_bench" });
  const processor = createMessageProcessor({ executionId: "exe_bench" });
  for (const line of lines) for (const output of decoder.decode(line)) processor.apply(output);
  processor.settle({ at: 1, reason: "The agent ended." });
}

function toLogLines(text) {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line, index) => ({ text: line, offset: index * 1000, at: 1000 + index }));
}
