import type { GitObstacleText } from "@skein/contracts";
import { ServiceError } from "@skein/engine";

/** What keeps an operation from being done. `command` removes the obstacle in a terminal. */
export class GitObstacleError extends ServiceError {
  readonly command: string | undefined;

  constructor(text: GitObstacleText, { command, cause }: { command?: string; cause?: unknown } = {}) {
    super("conflict", text, { cause });
    this.command = command;
  }
}
