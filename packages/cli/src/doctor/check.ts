export type CheckState = "ok" | "warn" | "fail";

/** One finding of `skein doctor`. `advice` says what to do where something is not right. */
export interface Check {
  name: string;
  state: CheckState;
  finding: string;
  advice?: string | undefined;
}
