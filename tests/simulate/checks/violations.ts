/** An invariant that did not hold. */
export interface Violation {
  invariant: string;
  detail: string;
  at: number;
}

/** Collects violations: each kind is reported, and of many of a kind the first ones. */
export interface Violations {
  readonly list: readonly Violation[];
  readonly count: number;
  add(invariant: string, detail: string, at?: number): void;
}

const keptOfEach = 10;

export function createViolations(onAdd: (violation: Violation) => void = () => {}): Violations {
  const list: Violation[] = [];
  const counts = new Map<string, number>();
  let count = 0;
  return {
    list,
    get count() {
      return count;
    },
    add(invariant, detail, at = Date.now()) {
      count++;
      const known = (counts.get(invariant) ?? 0) + 1;
      counts.set(invariant, known);
      if (known > keptOfEach) return;
      const violation = { invariant, detail, at };
      list.push(violation);
      onAdd(violation);
    },
  };
}
