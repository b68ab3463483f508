import { z } from "zod";
import { bracketed, type Parsed, parseShape } from "../parse-shape.ts";

const part = z
  .looseObject({
    text: z.string().optional(),
    thought: z.boolean().optional(),
    thoughtSignature: z.string().optional(),
    functionCall: z
      .looseObject({ name: z.string(), id: z.string().optional(), args: z.record(z.string(), z.unknown()).optional() })
      .optional(),
    functionResponse: z
      .looseObject({ name: z.string(), id: z.string().optional(), response: z.record(z.string(), z.unknown()) })
      .optional(),
  })
  .refine((found) => DATA.filter((field) => found[field] !== undefined).length === 1, { params: { oneof: "data" } });

const DATA = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
];

const content = z.looseObject({ role: z.string().optional(), parts: z.array(part).min(1) });

const request = z.looseObject({
  contents: z.array(content).min(1),
  tools: z.array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })).optional() })).optional(),
});

export type GeminiRequest = z.infer<typeof request>;
export type GeminiContent = z.infer<typeof content>;
export type GeminiPart = z.infer<typeof part>;

export function parseGeminiRequest(body: unknown): Parsed<GeminiRequest> {
  return parseShape(request, body, (issue) => {
    const path = bracketed(issue.path);
    return { rule: "shape", path, message: reason(issue, path) };
  });
}

function reason(issue: z.core.$ZodIssue, path: string): string {
  if (issue.code === "too_small")
    return path === "contents"
      ? "* GenerateContentRequest.contents: contents is not specified\n"
      : `* GenerateContentRequest.${path}: contents.parts must not be empty.\n`;
  if (issue.code === "custom")
    return `* GenerateContentRequest.${path}.data: required oneof field 'data' must have one initialized field\n`;
  if (path === "") return "Invalid JSON payload received.";
  return `Invalid JSON payload received. Invalid value at '${path}'`;
}

export function callsOf(content: GeminiContent | undefined): GeminiPart[] {
  return (content?.parts ?? []).filter((part) => part.functionCall !== undefined);
}

export function responsesOf(content: GeminiContent | undefined): GeminiPart[] {
  return (content?.parts ?? []).filter((part) => part.functionResponse !== undefined);
}

/** A content without a role is the user's. */
export function roleOf(content: GeminiContent | undefined): string {
  return content?.role ?? "user";
}
