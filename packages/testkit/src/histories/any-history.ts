import type { AssistantMessage, MessageBody, ToolCall, ToolResultPart } from "@skein/contracts";
import fc from "fast-check";
import { anyImage } from "./any-image.ts";
import { anyCallData, anyReasoning } from "./any-reasoning.ts";
import { anyText } from "./any-text.ts";
import { anyToolCall, anyToolResult } from "./any-tool-call.ts";

export interface HistoryOptions {
  /** The models that the reasoning comes from. */
  models: readonly string[];
  maxLength?: number;
}

/**
 * Any messages in any order, as imports, crashes and other programs leave them: results before their calls, twice or never,
 * ids used again, empty parts, reasoning of several models. Some of them are valid, so that deeper rules are reached.
 */
export function anyHistory({ models, maxLength = 14 }: HistoryOptions): fc.Arbitrary<MessageBody[]> {
  const call = anyToolCall({ providerData: anyCallData(models) });
  const part = fc.oneof(
    { weight: 3, arbitrary: anyText.map((text) => ({ type: "text" as const, text })) },
    { weight: 1, arbitrary: anyImage },
  );
  const assistantPart = fc.oneof(
    anyText.map((text) => ({ type: "text" as const, text })),
    anyReasoning(models),
  );
  const user = fc
    .oneof({ weight: 3, arbitrary: anyText }, { weight: 2, arbitrary: fc.array(part, { maxLength: 4 }) })
    .map((content): MessageBody => ({ role: "user", content }));
  const system = anyText.map((content): MessageBody => ({ role: "system", content }));
  const assistant = fc
    .record({
      content: fc.oneof({ weight: 1, arbitrary: anyText }, { weight: 2, arbitrary: fc.array(assistantPart, { maxLength: 4 }) }),
      toolCalls: fc.oneof(fc.constant(undefined), fc.array(call, { maxLength: 4 })),
    })
    .map(({ content, toolCalls }): AssistantMessage => ({ role: "assistant", content, ...(toolCalls === undefined ? {} : { toolCalls }) }));
  const tool = fc.array(anyToolResult, { maxLength: 3 }).map((content): MessageBody => ({ role: "tool", content }));
  const step = fc
    .tuple(assistant, fc.array(call, { minLength: 1, maxLength: 3 }), fc.array(anyToolResult, { minLength: 3, maxLength: 3 }), fc.boolean())
    .map(([message, calls, results, together]) => toStep({ ...message, toolCalls: calls }, results, together));
  const single = fc.oneof(
    { weight: 3, arbitrary: user },
    { weight: 1, arbitrary: system },
    { weight: 3, arbitrary: assistant },
    { weight: 2, arbitrary: tool },
  );
  const group = fc.oneof({ weight: 3, arbitrary: single.map((message) => [message]) }, { weight: 1, arbitrary: step });
  return fc
    .tuple(fc.array(group, { maxLength, size: "max" }), fc.option(fc.tuple(fc.nat(), fc.nat()), { nil: undefined, freq: 1 }))
    .map(([groups, double]) => repeatOne(groups, double).flat());
}

/** A message stored twice, as after a crash between writing it and recording that. */
function repeatOne(groups: MessageBody[][], double: [number, number] | undefined): MessageBody[][] {
  const again = double === undefined ? undefined : groups[double[0] % Math.max(1, groups.length)];
  return double === undefined || again === undefined ? groups : groups.toSpliced(double[1] % (groups.length + 1), 0, again);
}

function toStep(message: AssistantMessage & { toolCalls: ToolCall[] }, results: ToolResultPart[], together: boolean): MessageBody[] {
  const answers = message.toolCalls.flatMap((call, i): ToolResultPart[] => {
    const result = results[i];
    return result === undefined ? [] : [{ ...result, toolCallId: call.id, toolName: call.function.name }];
  });
  return [
    message,
    ...(together ? [{ role: "tool" as const, content: answers }] : answers.map((part) => ({ role: "tool" as const, content: [part] }))),
  ];
}
