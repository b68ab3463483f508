import type { AgentInfo, Attempt, PermissionMode, PlanSupport, WorkingMode } from "@skein/contracts";
import type { TaskTexts } from "../i18n/task-text.ts";

export const workingModes: readonly WorkingMode[] = ["ask", "accept-edits", "full"];

export const permissionModes: readonly PermissionMode[] = [...workingModes, "plan"];

type ModeTexts = Pick<TaskTexts, "attempt" | "plan">;
type Agent = Pick<AgentInfo, "permissionControl" | "planSupport">;
/** Reported by its session; takes precedence over what is known about its kind of agent. */
type Session = Pick<Attempt, "sessionOptions">;

/** What a permission mode means for this agent. */
export function toModeHint(agent: Agent | undefined, mode: PermissionMode, text: ModeTexts, session: Session = {}): string {
  if (mode === "plan") return text.plan.hints[toPlanSupport(agent, session)];
  switch (agent?.permissionControl) {
    case "none":
      return text.attempt.neverAsks;
    case "sandbox":
      return text.attempt.sandbox[mode];
    case "if-it-asks":
      return text.attempt.ifItAsks[mode];
    default:
      return { ask: text.attempt.askHint, "accept-edits": text.attempt.acceptEditsHint, full: text.attempt.fullHint }[mode];
  }
}

/** The label of a mode for this agent, and its meaning. */
export function toModeWords(agent: Agent | undefined, mode: PermissionMode, text: ModeTexts, session: Session = {}) {
  const labels: Record<PermissionMode, string> = {
    plan: toPlanSupport(agent, session) === "none" ? text.plan.modeUnavailable : text.plan.mode,
    ask: text.attempt.ask,
    "accept-edits": text.attempt.acceptEdits,
    full: text.attempt.full,
  };
  return { label: labels[mode], hint: toModeHint(agent, mode, text, session) };
}

/** A mode that the agent does not have is listed, and cannot be chosen. */
export function listModes(
  agent: Agent | undefined,
  text: ModeTexts,
  session: Session = {},
): { value: PermissionMode; label: string; hint: string; disabled: boolean }[] {
  return permissionModes.map((value) => ({
    value,
    ...toModeWords(agent, value, text, session),
    disabled: !offersMode(agent, value, session),
  }));
}

export function offersMode(agent: Agent | undefined, mode: PermissionMode, session: Session = {}): boolean {
  return mode !== "plan" || toPlanSupport(agent, session) !== "none";
}

function toPlanSupport(agent: Agent | undefined, { sessionOptions }: Session): PlanSupport {
  const support = agent?.planSupport ?? "none";
  if (support !== "if-offered" || sessionOptions === undefined) return support;
  return sessionOptions.hasPlanMode ? "own" : "none";
}
