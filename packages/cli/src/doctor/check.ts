export type CheckState = "ok" | "warn" | "fail";

/** One finding of `skein doctor`. `advice` is what to do about a problem. */
export interface Check {
  name: string;
  state: CheckState;
  finding: string;
  advice?: string | undefined;
}
