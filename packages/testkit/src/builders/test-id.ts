import type { createId } from "@skein/contracts";

type Prefix = Parameters<typeof createId>[0];

/** A deterministic id in the form of a real one: `att_0001`. */
export function testId<P extends Prefix>(prefix: P, number = 1): ReturnType<typeof createId<P>> {
  return `${prefix}_${String(number).padStart(4, "0")}` as ReturnType<typeof createId<P>>;
}

/** The default time of built objects. */
export const testTime = Date.UTC(2026, 0, 2, 3, 4, 5);
