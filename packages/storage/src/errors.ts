import type { StorageFault } from "@skein/contracts";

interface SchemaVersions {
  foundVersion: number;
  knownVersion: number;
}

const restoreOlder = "Update Skein, or restore the backup that the newer Skein made before it migrated it (`skein restore` lists them).";
const restoreBackup = "Restore a backup: `skein restore` lists those that it finds, and keeps this file.";

/** The database was written by a newer Skein. It was not changed. */
export class NewerSchemaError extends Error {
  override readonly name = "NewerSchemaError";
  readonly foundVersion: number;
  readonly knownVersion: number;

  constructor({ file, foundVersion, knownVersion, remedy = restoreOlder }: SchemaVersions & { file: string; remedy?: string }) {
    super(
      `The database ${file} has schema version ${foundVersion}, but this Skein supports versions up to ${knownVersion}. ` +
        `Nothing was changed. ${remedy}`,
    );
    this.foundVersion = foundVersion;
    this.knownVersion = knownVersion;
  }
}

/** It is not a Skein database, is damaged, or is not supported. It was not changed. */
export class UnreadableDatabaseError extends Error {
  override readonly name = "UnreadableDatabaseError";
  readonly file: string;
  /** Findings of the integrity check, if it could run. */
  readonly findings: readonly string[];

  constructor(input: { file: string; reason: string; findings?: readonly string[]; remedy?: string; cause?: unknown }) {
    const { file, reason, findings = [], remedy = restoreBackup, cause } = input;
    const found = findings.length === 0 ? "" : ` The check found: ${findings.join("; ")}.`;
    super(`The database ${file} cannot be used: ${reason}.${found} It was left as it is. ${remedy}`, { cause });
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
