import { ApiError, findCommand, findHookRefusal } from "../api/api-error.ts";
import type { Failure } from "./failure-text.tsx";

/** What is shown of an error. The output of a hook is shown apart from the sentence. */
export function toFailure(error: unknown, describe: (error: unknown) => string): Failure {
  const refusal = findHookRefusal(error);
  if (refusal === undefined || !(error instanceof ApiError)) return { text: describe(error), command: findCommand(error) };
  // the English sentence arrives with the output below it
  const [detail = ""] = error.problem.detail.split("\n");
  return { text: describe(new ApiError({ ...error.problem, detail, output: "" })), refusal };
}
