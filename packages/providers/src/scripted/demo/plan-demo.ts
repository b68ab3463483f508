import type { JsonValue } from "@skein/contracts";
import type { ConversationPosition } from "../conversation-position.ts";
import type { ScriptedResponse, ScriptedToolCall } from "../scripted-response.ts";
import { demoFile, endMarker, missingFile } from "./demo-file.ts";
import {
  chooseFileToRead,
  countFileLines,
  countMatches,
  entriesOf,
  exitCodeOf,
  findResult,
  firstLineOfFile,
  outputOf,
  shorten,
  toDemoResult,
} from "./demo-results.ts";
import { chooseTexts, type DemoFacts, type DemoTexts } from "./demo-texts.ts";

/** The request so far → the next answer. Pure: a conversation that is replayed goes the same way. */
export function planDemo(position: ConversationPosition, { hasTools }: { hasTools: boolean }): ScriptedResponse {
  const texts = chooseTexts(position.message);
  const facts = gatherFacts(position);
  if (!hasTools) return { text: texts.noTools(facts) };
  const steps = position.continued ? continuedRound(texts, facts, position) : firstRound(texts, facts, position);
  const step = steps[position.step] ?? { text: texts.finish };
  return { startDelayMs: 420, ...step, text: setbackOf(texts, position) + (step.text ?? "") };
}

function gatherFacts(position: ConversationPosition): DemoFacts {
  const read = findResult(position, "read");
  const status = findResult(position, "bash", 0);
  const failing = findResult(position, "bash", 1);
  const message = position.message.trim();
  return {
    quote: message === "" ? "…" : shorten(message, 160),
    topCount: entriesOf(findResult(position, "list")).length,
    fileCount: entriesOf(findResult(position, "glob")).length,
    fileRead: chooseFileToRead(position),
    readOk: read?.ok ?? false,
    firstLine: firstLineOfFile(read),
    lineCount: countFileLines(read),
    matchCount: countMatches(findResult(position, "grep")),
    grepOk: findResult(position, "grep")?.ok ?? false,
    wrote: findResult(position, "write")?.ok ?? false,
    edited: findResult(position, "edit")?.ok ?? false,
    status: { ok: status?.ok ?? false, exitCode: exitCodeOf(status), output: outputOf(status) },
    failing: { exitCode: exitCodeOf(failing), output: outputOf(failing) },
  };
}

/** Steps that depend on a result stand after the step that gives it, so that no index moves once it has been played. */
function firstRound(texts: DemoTexts, facts: DemoFacts, position: ConversationPosition): ScriptedResponse[] {
  const written = findResult(position, "write");
  return [
    { reasoning: texts.reasoning(facts), text: texts.intro(facts), toolCalls: [todo(texts, 0)] },
    { text: texts.look, toolCalls: [call("list", {}), call("glob", { pattern: "**/*" })] },
    ...(facts.fileRead === undefined ? [] : [{ text: texts.read(facts), toolCalls: [call("read", { path: facts.fileRead, limit: 40 })] }]),
    {
      text: facts.fileRead === undefined ? `${texts.nothingToRead} ${texts.search}` : texts.search,
      toolCalls: [call("grep", { pattern: "TODO|FIXME" })],
    },
    { text: texts.write, toolCalls: [todo(texts, 2), call("write", { path: demoFile, content: fileContent(texts, facts) })] },
    ...(written === undefined || written.ok
      ? [{ text: texts.edit, toolCalls: [call("edit", { path: demoFile, oldText: texts.draftLine, newText: texts.finalLine })] }]
      : []),
    { text: texts.status, toolCalls: [todo(texts, 3), call("bash", { command: "git status --short" })] },
    { text: texts.failing, toolCalls: [call("bash", { command: `ls ${missingFile}` })] },
    { text: texts.finish, toolCalls: [todo(texts, 4)] },
    { text: texts.answer(facts) },
  ];
}

function continuedRound(texts: DemoTexts, facts: DemoFacts, position: ConversationPosition): ScriptedResponse[] {
  const found = findResult(position, "read")?.ok !== false;
  const note = { path: demoFile, oldText: endMarker, newText: `${texts.again.note(facts)}\n${endMarker}` };
  const command = call("bash", { command: "git status --short && git diff --stat" });
  return [
    { text: texts.again.intro(facts), toolCalls: [call("read", { path: demoFile })] },
    ...(found ? [{ text: texts.again.add, toolCalls: [call("edit", note)] }] : []),
    { text: found ? texts.again.check : `${texts.again.missing} ${texts.again.check}`, toolCalls: [command] },
    { text: texts.again.answer(facts) },
  ];
}

/** What went wrong in the step before, but for the command that is meant to fail. */
function setbackOf(texts: DemoTexts, position: ConversationPosition): string {
  const last = position.results.at(-1);
  if (last?.isError !== true || (last.toolName === "bash" && last.input !== null && isMeantToFail(last.input))) return "";
  return texts.setback(last.toolName, shorten(toDemoResult(last).lines[0] ?? "no reason given", 120));
}

function isMeantToFail(input: JsonValue): boolean {
  return JSON.stringify(input).includes(missingFile);
}

function fileContent(texts: DemoTexts, facts: DemoFacts): string {
  return `${texts.fileContent(facts)}\n\n${texts.draftLine}\n\n${endMarker}\n`;
}

/** The list with its first `done` items ticked off and the next one begun. */
function todo(texts: DemoTexts, done: number): ScriptedToolCall {
  const items = texts.todo.map((text, index) => ({
    text,
    status: index < done ? "completed" : index === done ? "in-progress" : "pending",
  }));
  return call("todo", { items });
}

function call(name: string, input: JsonValue): ScriptedToolCall {
  return { name, arguments: input };
}
