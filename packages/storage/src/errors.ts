import type { StorageFault } from "@skein/contracts";

/** The database was written by a newer Skein. It was not changed. */
export class NewerSchemaError extends Error {
  override readonly name = "NewerSchemaError";
  readonly foundVersion: number;
  readonly knownVersion: number;

  constructor({ file, foundVersion, knownVersion }: { file: string; foundVersion: number; knownVersion: number }) {
    super(
      `The database ${file} has schema version ${foundVersion}, but this Skein supports versions up to ${knownVersion}. ` +
        "Nothing was changed. Update Skein, or restore the backup that the newer Skein made before it migrated it (`skein restore` lists them).",
    );
    this.foundVersion = foundVersion;
    this.knownVersion = knownVersion;
  }
}

/** The file is not a Skein database, or is damaged. It was not changed. */
export class UnreadableDatabaseError extends Error {
  override readonly name = "UnreadableDatabaseError";
  readonly file: string;
  /** Findings of the integrity check, if it could run. */
  readonly findings: readonly string[];

  constructor({ file, reason, findings = [], cause }: { file: string; reason: string; findings?: readonly string[]; cause?: unknown }) {
    const found = findings.length === 0 ? "" : ` The check found: ${findings.join("; ")}.`;
    super(
      `The database ${file} cannot be used: ${reason}.${found} It was left as it is. ` +
        "Restore a backup: `skein restore` lists those that it finds, and keeps this file.",
      { cause },
    );
    this.file = file;
    this.findings = findings;
  }
}

export class UnsupportedSqliteError extends Error {
  override readonly name = "UnsupportedSqliteError";
}

/** The database failed for a reason outside the request. It is usable again when the cause is gone. */
export class StorageUnavailableError extends Error {
  override readonly name = "StorageUnavailableError";
  readonly failure: StorageFault;

  constructor(failure: StorageFault, message: string, options: { cause: unknown }) {
    super(message, options);
    this.failure = failure;
  }
}
