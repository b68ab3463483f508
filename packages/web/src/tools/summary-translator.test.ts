import type { JsonValue } from "@skein/contracts";
import { presentTool, shippedToolProcessors, type ToolObservation } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { type ToolSummaries, toolSummariesEn } from "../i18n/en-tool-summaries.ts";
import { toolSummariesZhCN } from "../i18n/zh-cn-tool-summaries.ts";
import { createSummaryTranslator } from "./summary-translator.ts";

const translate = createSummaryTranslator(toolSummariesZhCN);

describe("summaries in Chinese", () => {
  it.each([
    ["Updated src/a.ts", "已更新 src/a.ts"],
    ["Updating src/a.ts was denied", "更新 src/a.ts 被拒绝"],
    ["Created a.ts", "已创建 a.ts"],
    ["Could not write a.ts", "未能写入 a.ts"],
    ["Ran echo it failed", "已运行 echo it failed"],
    ["Running npm test was interrupted", "运行 npm test 被中断"],
    ["Running subagent: look around", "正在运行子智能体：look around"],
    ["Started npm start in the background", "已在后台启动 npm start"],
    ["Could not read output of job_9", "未能读取 job_9 的输出"],
    ["Found 2 files matching *.ts", "找到 2 个匹配 *.ts 的文件"],
    ["Found a {n} b in 1 file", "在 1 个文件中找到 a {n} b"],
    ["Updated 3 files: a, b, c", "已更新 3 个文件：a, b, c"],
    ["Updating 3 files was denied: a, b, c", "更新 3 个文件：a, b, c 被拒绝"],
    ["Updated todo list (1/2 done)", "已更新待办列表（已完成 1/2）"],
    ["Updated todo #3: pending → in progress", "已更新待办 #3：待办 → 进行中"],
    ["deploy failed", "deploy 失败"],
    ["jira: create", "jira: create"],
    ["Anything else", "Anything else"],
    ["", ""],
  ])("[T8] %s", (summary, expected) => {
    expect(translate(summary)).toBe(expected);
  });

  it("[T8] every form that a shipped processor writes is said in Chinese, and no other is listed", () => {
    const nameForm = createSummaryTranslator(namesOfForms());
    const [english, named] = [new Set<string>(), new Set<string>()];
    for (const observation of observeAll()) {
      const { summary } = presentTool(observation);
      const given = [observation.toolName, ...words, ...words.map((word) => word.replaceAll("_", " ")), ...names];
      const rest = given.reduce((text, word) => text.replaceAll(word, ""), translate(summary));
      if (/[a-z]/i.test(rest)) english.add(summary);
      named.add(nameForm(summary));
    }
    expect([...english]).toEqual([]);
    expect(listNames().filter((name) => !named.has(name))).toEqual([]);
  });
});

/** What the processors look for in an input or a result, in the shape of any agent's. */
const words = ["async_launched", "content", "count", "update", "add", "delete", "completed", "in_progress", "pending"];
/** What they say where no name was given; it may as well be one. */
const names = ["files", "file", "notebook", "page", "subagent", "task"];
const outputs = ["", "1", 'Tool "1" not found.', "The file 1 has been updated", "Found 1 file\n1"];
const toolNames = [...shippedToolProcessors.flatMap((processor) => processor.toolNames), "mcp__1__2", "0"];
const states = ["running", "completed", "failed", "denied", "interrupted", "timed-out"] as const;

/** What choice alone hardly ever makes: several alike. */
const changes = ["add", "update", "delete"].map((kind) => ({ changes: ["1", "2"].map((path) => ({ path, kind })) }));
const shapes = [
  ...changes,
  ...changes.map((change) => ({ changes: change.changes.slice(1) })),
  { taskId: "1", statusChange: { from: "pending", to: "completed" } },
];

/** Each tool in each state, many times with other inputs and results; the same ones in every run. */
function* observeAll(): Generator<ToolObservation> {
  for (const toolName of toolNames) {
    for (const state of states) {
      for (const shape of shapes) yield { toolName, state, isError: state !== "completed", input: shape, structured: shape, output: "" };
      for (let round = 0; round < 80; round++) {
        const seed = `${toolName} ${state} ${round}`;
        const output = pick(`${seed} output`, outputs);
        const structured = round % 3 === 0 ? undefined : toObject(`${seed} result`);
        yield { toolName, state, isError: round % 2 === 0, input: round % 10 === 0 ? {} : toObject(`${seed} input`), structured, output };
      }
    }
  }
}

/** Has every field that it is asked for: nothing that a processor reads is missed. */
function toObject(seed: string): JsonValue {
  const read = (name: string | symbol) => toValue(`${seed} ${String(name)}`);
  return new Proxy<{ [name: string]: JsonValue }>(
    {},
    {
      get: (_, name) => read(name),
      getOwnPropertyDescriptor: (_, name) => ({ value: read(name), configurable: true, enumerable: true }),
    },
  );
}

function toValue(seed: string): JsonValue {
  const list = () => [0, 1, 2].slice(pick(`${seed} from`, [0, 1, 2, 3])).map((index) => toValue(`${seed} ${index}`));
  return pick<() => JsonValue>(seed, [
    () => pick(`${seed} text`, ["1", "/2.3", ...words]),
    () => pick(`${seed} text`, ["1", "/2.3", ...words]),
    () => pick(`${seed} number`, [0, 1, 2]),
    () => pick(`${seed} boolean`, [true, false]),
    () => toObject(`${seed} object`),
    list,
  ])();
}

/** The same choice for the same seed. */
function pick<T>(seed: string, choices: readonly T[]): T {
  let hash = 0;
  for (const character of seed) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0;
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return choices[((hash ^ (hash >>> 13)) >>> 0) % choices.length] as T;
}

/** A dictionary that says the name of each form. */
function namesOfForms(): ToolSummaries {
  const name = (group: string, forms: object) => Object.fromEntries(Object.keys(forms).map((form) => [form, `${group}.${form}`]));
  const forms = Object.entries(toolSummariesEn.forms).map(([group, templates]) => [group, name(group, templates)]);
  return { ...toolSummariesEn, forms: Object.fromEntries(forms), endings: name("endings", toolSummariesEn.endings) } as ToolSummaries;
}

function listNames(): string[] {
  const { forms, endings } = namesOfForms();
  return [...Object.values(forms), endings].flatMap((templates) => Object.values(templates));
}
