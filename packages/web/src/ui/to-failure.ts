import { ApiError, findCommand, findHookRefusal } from "../api/api-error.ts";
import type { Failure } from "./failure-text.tsx";

/** What is shown of an error. The output of a hook is shown apart from the sentence. */
export function toFailure(error: unknown, describe: (error: unknown) => string): Failure {
  const refusal = findHookRefusal(error);
  if (refusal === undefined || !(error instanceof ApiError)) return { text: describe(error), command: findCommand(error) };
  return { text: describe(new ApiError({ ...error.problem, output: "" })), refusal };
}
