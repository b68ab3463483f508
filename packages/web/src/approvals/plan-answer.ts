import type { AnswerApproval, PermissionMode, WorkingMode } from "@skein/contracts";

/** A plan that was not changed, or was emptied, is approved as proposed. */
export function toPlanAnswer({ plan, draft, mode }: { plan: string; draft: string | null; mode: WorkingMode }): AnswerApproval {
  const isEdited = draft !== null && draft.trim() !== "" && draft !== plan;
  return { decision: "allow", plan: isEdited ? { mode, text: draft } : { mode } };
}

/** How a plan is carried out until the user chooses: as the attempt works, as new attempts do, or with edits accepted. */
export function toWorkingMode(mode: PermissionMode | undefined, byDefault: WorkingMode | undefined): WorkingMode {
  return mode === undefined || mode === "plan" ? (byDefault ?? "accept-edits") : mode;
}
