import type { ApprovalId } from "@skein/contracts";

const answered = new Set<ApprovalId>();

/** What this window has answered itself: of the rest someone else was faster. */
export const answeredHere = {
  add: (id: ApprovalId): void => void answered.add(id),
  has: (id: ApprovalId): boolean => answered.has(id),
};
