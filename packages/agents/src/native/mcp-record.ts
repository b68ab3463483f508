import { readFile, writeFile } from "node:fs/promises";
import { jsonValueSchema } from "@skein/contracts";
import { z } from "zod";

/** What an execution learned from its MCP servers, stored next to its log: the next request can be shown without starting a server. */
export const mcpRecordSchema = z.object({
  /** Connected servers, in the order of the request. */
  offers: z.array(
    z.object({
      server: z.string(),
      tools: z.array(z.object({ name: z.string(), description: z.string(), inputSchema: jsonValueSchema })),
      systemPrompts: z.array(z.string()),
    }),
  ),
});
export type McpRecord = z.infer<typeof mcpRecordSchema>;

/** A failed write only costs a preview its MCP tools. */
export async function writeMcpRecord(file: string, record: McpRecord): Promise<void> {
  await writeFile(file, JSON.stringify(record), { mode: 0o600 }).catch(() => {});
}

/** Undefined if there is no readable one. */
export async function readMcpRecord(file: string): Promise<McpRecord | undefined> {
  try {
    return mcpRecordSchema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return undefined;
  }
}
