import type { JsonValue } from "@skein/contracts";
import type { ConversationPosition } from "../conversation-position.ts";
import type { ScriptedResponse, ScriptedToolCall } from "../scripted-response.ts";
import { demoFile, endMarker, missingFile } from "./demo-file.ts";
import {
  chooseFileToRead,
  countEntries,
  countFileLines,
  countMatches,
  findCommandEnd,
  findResult,
  firstLineOfFile,
  shorten,
  toDemoResult,
} from "./demo-results.ts";
import { chooseTexts, type DemoFacts, type DemoTexts } from "./demo-texts.ts";

/** Returns the next answer for a request. Pure: a replayed conversation takes the same course. */
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
  const message = position.message.trim();
  return {
    quote: message === "" ? "…" : shorten(message, 160),
    topCount: countEntries(findResult(position, "list")),
    fileCount: countEntries(findResult(position, "glob")),
    fileRead: chooseFileToRead(position),
    readOk: read?.ok ?? false,
    firstLine: firstLineOfFile(read),
    lineCount: countFileLines(read),
    matchCount: countMatches(findResult(position, "grep")),
    grepOk: findResult(position, "grep")?.ok ?? false,
    wrote: findResult(position, "write")?.ok ?? false,
    edited: findResult(position, "edit")?.ok ?? false,
    status: findCommandEnd(findResult(position, "bash", 0)),
    failing: findCommandEnd(findResult(position, "bash", 1)),
  };
}

/** A step that depends on a result comes after the step that produces it, so that no index changes once it was played. */
function firstRound(texts: DemoTexts, facts: DemoFacts, position: ConversationPosition): ScriptedResponse[] {
  const written = findResult(position, "write");
  return [
    { reasoning: texts.reasoning(facts), text: texts.intro(facts), toolCalls: [todo(texts, facts, 0)] },
    { text: texts.look, toolCalls: [call("list", {}), call("glob", { pattern: "**/*" })] },
    ...(facts.fileRead === undefined ? [] : [{ text: texts.read(facts), toolCalls: [call("read", { path: facts.fileRead, limit: 40 })] }]),
    {
      text: facts.fileRead === undefined ? `${texts.nothingToRead} ${texts.search}` : texts.search,
      toolCalls: [call("grep", { pattern: "TODO|FIXME" })],
    },
    { text: texts.write, toolCalls: [todo(texts, facts, 2), call("write", { path: demoFile, content: fileContent(texts, facts) })] },
    ...(written === undefined || written.ok
      ? [{ text: texts.edit, toolCalls: [call("edit", { path: demoFile, oldText: texts.draftLine, newText: texts.finalLine })] }]
      : []),
    { text: texts.status, toolCalls: [todo(texts, facts, 3), call("bash", { command: "git status --short" })] },
    { text: texts.failing, toolCalls: [call("bash", { command: `ls ${missingFile}` })] },
    { text: texts.finish, toolCalls: [todo(texts, facts, 4)] },
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

/** What failed in the previous step. A command that ran and failed does not count: one of them is meant to. */
function setbackOf(texts: DemoTexts, position: ConversationPosition): string {
  const last = position.results.at(-1);
  if (last?.isError !== true) return "";
  const result = toDemoResult(last);
  if (last.toolName === "bash" && findCommandEnd(result) !== undefined) return "";
  return texts.setback(last.toolName, shorten(result.lines[0] ?? "?", 120));
}

function fileContent(texts: DemoTexts, facts: DemoFacts): string {
  return `${texts.fileContent(facts)}\n\n${texts.draftLine}\n\n${endMarker}\n`;
}

/** The list with its first `done` items checked off, or struck out if they failed, and the next one in progress. */
function todo(texts: DemoTexts, facts: DemoFacts, done: number): ScriptedToolCall {
  const worked = [true, true, facts.wrote, facts.status !== undefined && facts.failing !== undefined];
  const items = texts.todo.map((text, index) => ({
    text,
    status: index > done ? "pending" : index === done ? "in-progress" : worked[index] ? "completed" : "cancelled",
  }));
  return call("todo", { items });
}

function call(name: string, input: JsonValue): ScriptedToolCall {
  return { name, arguments: input };
}
