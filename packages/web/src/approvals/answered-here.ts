import type { ApprovalId } from "@skein/contracts";

const answered = new Set<ApprovalId>();

/** Approvals that were answered in this window; all others were answered elsewhere. */
export const answeredHere = {
  add: (id: ApprovalId): void => void answered.add(id),
  has: (id: ApprovalId): boolean => answered.has(id),
};
