import { describe, expect, it } from "vitest";
import { z } from "zod";
import { mcpServerNameSchema } from "../mcp.ts";
import { projectScriptsFileSchema } from "../repository-trust.ts";
import { setProviderKeySchema } from "../settings.ts";
import { type IssueText, toIssueText } from "./issue-text.ts";

function readIssue(schema: z.ZodType, value: unknown): IssueText | undefined {
  const [issue] = schema.safeParse(value, { reportInput: true }).error?.issues ?? [];
  return issue && toIssueText(issue);
}

describe("explaining a rejected value", () => {
  it.each<[string, z.ZodType, unknown, IssueText]>([
    ["missing", z.object({ a: z.string() }), {}, { code: "value-missing" }],
    ["of another type", z.string(), 1, { code: "value-wrong-type", expected: "string" }],
    ["empty", z.string().trim().min(1), " ", { code: "value-empty" }],
    ["too short", z.string().min(2), "a", { code: "value-too-short", characters: 2 }],
    ["too long", z.string().max(2), "abc", { code: "value-too-long", characters: 2 }],
    ["a list that is too short", z.array(z.int()).min(1), [], { code: "list-too-short", items: 1 }],
    ["a list that is too long", z.array(z.int()).max(1), [1, 2], { code: "list-too-long", items: 1 }],
    ["too small", z.int().min(1), 0, { code: "number-too-small", least: 1 }],
    ["too large", z.int().max(1), 2, { code: "number-too-large", most: 1 }],
    ["not in a list", z.enum(["a", "b"]), "c", { code: "value-not-allowed", allowed: ["a", "b"] }],
    ["an unknown field", z.strictObject({}), { x: 1 }, { code: "unknown-keys", keys: ["x"] }],
    ["no address", z.url(), "x", { code: "value-wrong-format", format: "url" }],
    ["another pattern", z.string().regex(/^a$/), "b", { code: "value-invalid" }],
    ["the name of a server", mcpServerNameSchema, "a\u202eb", { code: "server-name-invalid" }],
    ["a key", setProviderKeySchema, { apiKey: "a b" }, { code: "key-invalid" }],
    ["a path that leads out", projectScriptsFileSchema, { copy: ["../a"] }, { code: "path-outside-repository" }],
  ])("[T8] %s", (_name, schema, value, issue) => {
    expect(readIssue(schema, value)).toEqual(issue);
  });
});
