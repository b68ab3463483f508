import { exitCode } from "./exit-code.ts";

/** A failure that the user can fix. `message` is one sentence about the problem, `hint` is what to do. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly hint: string | undefined;
  readonly exitCode: number;

  constructor(message: string, options: { hint?: string | undefined; exitCode?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? exitCode.failed;
  }
}
