import type { MessageEntity } from "@skein/contracts";
import { pairHistory } from "../pairing/pair-history.ts";

/**
 * Positions before which a history may be compressed, ascending: no call is separated from its result, and at least the last `keepTurns`
 * turns stay. A turn begins with a user message; the last one is the current request.
 */
export function findCutPoints(messages: readonly MessageEntity[], { keepTurns }: { keepTurns: number }): number[] {
  const last = findTurnStart(messages, Math.max(1, keepTurns));
  if (last === undefined) return [];
  const { blocks } = pairHistory(messages.map(({ body }) => body));
  const places = new Map(blocks.map((block, place) => [block, place]));
  // For each block, the last one that a pair links it with: a cut in between would separate them.
  const joined = blocks.map((_, place) => place);
  blocks.forEach((block, place) => {
    for (const { answer } of block.calls) {
      const other = answer === undefined ? place : (places.get(answer.block) ?? place);
      const first = Math.min(place, other);
      joined[first] = Math.max(joined[first] ?? first, place, other);
    }
  });
  const cuts: number[] = [];
  let position = 0;
  let reach = -1;
  blocks.forEach((block, place) => {
    if (position > 0 && position <= last && block.head !== undefined && reach < place) cuts.push(position);
    position += (block.head === undefined ? 0 : 1) + block.results.length;
    reach = Math.max(reach, joined[place] ?? place);
  });
  return cuts;
}

/** The start of the `count`-th turn from the end; undefined if there are fewer. */
export function findTurnStart(messages: readonly MessageEntity[], count: number): number | undefined {
  let found = 0;
  for (let i = messages.length - 1; i >= 0; i--) if (messages[i]?.body.role === "user" && ++found === count) return i;
  return undefined;
}
