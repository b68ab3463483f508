export {
  NewerSchemaError,
  StorageUnavailableError,
  UnreadableDatabaseError,
  UnsupportedSqliteError,
} from "./errors.ts";
export { UnreadableRowError } from "./json-column.ts";
export {
  assertRestorable,
  copyDatabaseFile,
  type DatabaseContent,
  describeDatabase,
  listExecutionIds,
  skipEventNumbers,
} from "./sqlite/database-copies.ts";
export { checkDatabase } from "./sqlite/inspect-database.ts";
export { openSqliteStorage, type SqliteStorageOptions } from "./sqlite/open-sqlite-storage.ts";
export type { StorageLogger } from "./storage-logger.ts";
