import type { Actor, IncomingHookId, JsonValue, OutgoingHookId, ProjectId, ScheduleId, TaskId, TemplateId } from "@skein/contracts";

/** What an automation is. */
export type AutomationKind = "template" | "schedule" | "incoming-hook" | "outgoing-hook";
/** The id of a template, a schedule or a webhook. */
export type AutomationId = TemplateId | ScheduleId | IncomingHookId | OutgoingHookId;

/** A template, a schedule or a webhook. Its kind decides what is in `definition`. */
export interface StoredAutomation {
  id: AutomationId;
  kind: AutomationKind;
  projectId: ProjectId;
  name: string;
  definition: JsonValue;
  by?: Actor;
  createdAt: number;
  updatedAt: number;
}

/** What an automation did once: a run of a schedule, a delivery of a webhook. */
export interface StoredAutomationRun {
  automationId: AutomationId;
  /** Of the runs of an automation with the same key there is one. */
  key: string;
  state: "open" | "done" | "skipped" | "failed";
  at: number;
  endedAt: number | null;
  /** The task that it created, or sent a message to. */
  taskId: TaskId | null;
  detail: JsonValue;
}

/** Reads templates, schedules and webhooks. */
export interface AutomationReader {
  findAutomation(query: { id: AutomationId }): Promise<StoredAutomation | undefined>;
  /** By name. `projectIds`: only of these. */
  listAutomations(query: { kind: AutomationKind; projectIds?: readonly ProjectId[] | undefined }): Promise<StoredAutomation[]>;
  findAutomationRun(query: { automationId: AutomationId; key: string }): Promise<StoredAutomationRun | undefined>;
  /** The newest first. */
  listAutomationRuns(query: { automationId: AutomationId; limit: number }): Promise<StoredAutomationRun[]>;
}

/** Writes templates, schedules and webhooks. */
export interface AutomationTransaction extends AutomationReader {
  /** Inserts it, or replaces the one with its id. */
  putAutomation(automation: StoredAutomation): Promise<void>;
  /** With its runs. False if there is none. */
  deleteAutomation(query: { id: AutomationId }): Promise<boolean>;
  /** Inserts it, or replaces the one with its key. */
  putAutomationRun(run: StoredAutomationRun): Promise<void>;
  /** Deletes all but the newest; open ones are kept. */
  trimAutomationRuns(query: { automationId: AutomationId; keep: number }): Promise<void>;
}
