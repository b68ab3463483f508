import { acceptedBodySchema, usageSchema } from "@skein/contracts";
import type { HistoryMessage } from "@skein/engine";
import { z } from "zod";
import { findMeasuredRequest } from "./find-measured-request.ts";
import { entityIdSchema, type NativeInput } from "./native-input.ts";

const historyMessageSchema = z.object({
  id: entityIdSchema,
  body: acceptedBodySchema,
  tokens: z.int().nonnegative().optional(),
  model: z.string().optional(),
  usage: usageSchema.optional(),
  createdAt: z.number().optional(),
});

/** Reads one `HistoryMessage` per line. Rejects if a line is invalid. */
export async function readHistoryLines(lines: AsyncIterable<string>): Promise<HistoryMessage[]> {
  const history: HistoryMessage[] = [];
  for await (const line of lines) history.push(historyMessageSchema.parse(JSON.parse(line)));
  return history;
}

/** Combines the first line of stdin and the history. */
export function withHistory<Order extends Omit<NativeInput, "history" | "measured">>(
  order: Order,
  history: readonly HistoryMessage[],
): Order & Pick<NativeInput, "history" | "measured"> {
  const measured = findMeasuredRequest(history, order);
  return {
    ...order,
    history: history.map(({ id, body, tokens }) => (tokens === undefined ? { id, body } : { id, body, tokens })),
    ...(measured === undefined ? {} : { measured }),
  };
}
