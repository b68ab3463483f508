import type { ToolExecutionMessage } from "@skein/contracts";

const maxCards = 8;
const maxCardLength = 16 * 1024;

/**
 * Recently ended cards, so that a late result can be added to them. Large ones are not kept (the snapshot is written with every commit):
 * a late result for such a card is shown by itself. Timed-out cards are dropped last, because they are the likeliest to get a late
 * result.
 */
export class EndedCards {
  readonly #cards: ToolExecutionMessage[];

  constructor(cards: readonly ToolExecutionMessage[] = []) {
    this.#cards = [...cards];
  }

  add(card: ToolExecutionMessage): void {
    const earlier = this.#cards.findIndex((other) => other.id === card.id);
    if (earlier !== -1) this.#cards.splice(earlier, 1);
    if (isLongerThan(maxCardLength, card.metadata)) return;
    this.#cards.push(card);
    if (this.#cards.length <= maxCards) return;
    const index = this.#cards.findIndex((other) => other.metadata.state !== "timed-out");
    this.#cards.splice(Math.max(index, 0), 1);
  }

  find(id: string): ToolExecutionMessage | undefined {
    return this.#cards.find((card) => card.id === id);
  }

  list(): ToolExecutionMessage[] {
    return [...this.#cards];
  }
}

/** Approximate JSON size: serializing every card only to measure it would cost more than creating it. */
function isLongerThan(limit: number, value: unknown): boolean {
  return measure(value, limit) > limit;
}

function measure(value: unknown, limit: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 4;
  let length = 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && length <= limit; index++) length += 1 + measure(value[index], limit - length);
    return length;
  }
  for (const key in value) {
    length += key.length + 4 + measure((value as Record<string, unknown>)[key], limit - length);
    if (length > limit) break;
  }
  return length;
}
