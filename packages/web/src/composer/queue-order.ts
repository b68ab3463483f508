/**
 * Before which other one a message goes that is dropped below `above` of the others; null for the end, undefined where that
 * is its place already.
 */
export function toDrop<Id extends string>(order: readonly Id[], id: Id, above: number): Id | null | undefined {
  const place = order.indexOf(id);
  const others = order.filter((other) => other !== id);
  return place === -1 || place === above ? undefined : (others[above] ?? null);
}

/** Before which other one a message goes when it is moved by one place; null for the end, undefined where it cannot move. */
export function toMove<Id extends string>(order: readonly Id[], id: Id, by: 1 | -1): Id | null | undefined {
  const place = order.indexOf(id);
  if (place === -1 || place + by < 0 || place + by >= order.length) return undefined;
  return order[by === -1 ? place - 1 : place + 2] ?? null;
}
