import { describeStorageFault, type StorageFault } from "@skein/contracts";
import { StorageConstraintError } from "@skein/engine";
import { StorageUnavailableError } from "../errors.ts";

/** SQLSTATE codes (https://www.postgresql.org/docs/current/errcodes-appendix.html), whole or by their class. */
const faultOfState: Readonly<Record<string, StorageFault>> = {
  "08": "database-unreachable", // connection exception
  "57P01": "database-unreachable", // admin_shutdown
  "57P02": "database-unreachable", // crash_shutdown
  "57P03": "database-unreachable", // cannot_connect_now
  "25P03": "database-unreachable", // idle_in_transaction_session_timeout
  "25006": "database-read-only",
  "28": "database-rejected", // user or password
  "3D": "database-rejected", // there is no such database
  "42501": "database-rejected", // insufficient_privilege
  "53100": "database-disk-full",
  "53": "database-overloaded", // out of memory, too many connections
  "40": "database-overloaded", // deadlock, serialization failure
  "55P03": "database-overloaded", // lock_not_available
  "57014": "database-overloaded", // statement_timeout
};

/** Integrity, data, and a value that is too long for an index. */
const constraintClasses = ["23", "22", "54"];

const tlsCode = /^(?:ERR_(?:TLS|SSL)|CERT|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)/;

/** Network errors of Node. `pg` has no codes for its own. */
const networkCodes = new Set(
  [
    "CONNREFUSED",
    "CONNRESET",
    "CONNABORTED",
    "PIPE",
    "NOTFOUND",
    "AI_AGAIN",
    "TIMEDOUT",
    "HOSTUNREACH",
    "HOSTDOWN",
    "NETUNREACH",
    "NETDOWN",
  ].map((name) => `E${name}`),
);
const networkText =
  /Connection terminated|timeout expired|Query read timeout|connection error|not queryable|Client was closed|timeout exceeded/i;

function faultOf(error: Error): StorageFault | undefined {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (/^[0-9A-Z]{5}$/.test(code) && "severity" in error) return faultOfState[code] ?? faultOfState[code.slice(0, 2)];
  if (tlsCode.test(code) || /does not support SSL/.test(error.message)) return "database-rejected";
  const isNoSocket = code === "ENOENT" && "syscall" in error && error.syscall === "connect";
  if (networkCodes.has(code) || isNoSocket || networkText.test(error.message)) return "database-unreachable";
  return undefined;
}

function isDatabaseError(error: Error): boolean {
  return "severity" in error;
}

/** Converts errors of Postgres and of the connection to it to those of the storage port; returns other errors unchanged. */
export function toStorageError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StorageUnavailableError || error instanceof StorageConstraintError) return error;
  const code = "code" in error ? String(error.code) : "";
  if (isDatabaseError(error) && constraintClasses.includes(code.slice(0, 2))) {
    return new StorageConstraintError(`The database refused a write that breaks a rule: ${error.message}`, { cause: error });
  }
  const fault = faultOf(error) ?? (isDatabaseError(error) ? "other" : undefined);
  return fault === undefined ? error : toUnavailable(fault, error);
}

export function toUnavailable(fault: StorageFault, cause: Error): StorageUnavailableError {
  const { cause: what, remedy } = describeStorageFault(fault);
  return new StorageUnavailableError(fault, `${what} ${remedy} (${cause.message || String(cause)})`, { cause });
}

/** Whether the connection is no longer usable: it is closed, or the server has become read-only. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof StorageUnavailableError) return error.failure === "database-unreachable" || error.failure === "database-read-only";
  const fault = error instanceof Error ? faultOf(error) : undefined;
  return fault === "database-unreachable" || fault === "database-read-only";
}
