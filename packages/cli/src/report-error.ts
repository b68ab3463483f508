import { describeStorageFault, findStorageFault, type StorageFault } from "@skein/contracts/storage-fault";
import { CliError } from "./cli-error.ts";
import { exitCode } from "./exit-code.ts";

/** Prints what went wrong and what to do; the stack only with `SKEIN_DEBUG=1`. Returns the exit code. */
export function reportError(error: unknown, env: NodeJS.ProcessEnv = process.env): number {
  console.error(describeError(error, env));
  return error instanceof CliError ? error.exitCode : exitCode.failed;
}

export function describeError(error: unknown, env: NodeJS.ProcessEnv): string {
  if (!(error instanceof Error)) return `skein: ${String(error)}`;
  const fault = error instanceof CliError ? undefined : findStorageFault(error);
  // the database's own message about damage has more detail
  if (fault !== undefined && fault !== "damaged" && fault !== "other") return describeFault(error, fault, env);
  const hint = error instanceof CliError && error.hint !== undefined ? `\n${error.hint}` : "";
  const isExpected = error instanceof CliError || expected.has(error.name);
  const more = isExpected ? "" : "\nThis is a bug in Skein. Run it again with SKEIN_DEBUG=1 to see where it happened.";
  const stack = env.SKEIN_DEBUG === "1" ? `\n${error.stack}${error.cause === undefined ? "" : `\ncaused by ${String(error.cause)}`}` : "";
  return `skein: ${error.message}${hint}${stack === "" ? more : stack}`;
}

function describeFault(error: Error, fault: StorageFault, env: NodeJS.ProcessEnv): string {
  const { cause, remedy } = describeStorageFault(fault);
  const stack = env.SKEIN_DEBUG === "1" ? `\n${error.stack}\ncaused by ${String(error.cause)}` : "";
  return `skein: ${cause}\n${remedy}${stack === "" ? `\n(${findReason(error)})` : stack}`;
}

/** The system's message, which names the file. */
function findReason(error: Error): string {
  return error.cause instanceof Error ? findReason(error.cause) : error.message;
}

/** Errors of the server whose messages already include what to do. By name, because importing the server only to print one is slow. */
const expected = new Set([
  "DataDirError",
  "ServerAlreadyRunningError",
  "UnsafeBindingError",
  "ServiceError",
  "ConfigError",
  "UnreadableDatabaseError",
  "NewerSchemaError",
  "UnsupportedSqliteError",
  "DatabaseUrlError",
  "TargetNotEmptyError",
  "CopyDifferenceError",
  "StorageUnavailableError",
]);
