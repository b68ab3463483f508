export { StorageUnavailableError } from "./errors.ts";
export {
  assertRestorable,
  copyDatabaseFile,
  type DatabaseContent,
  describeDatabase,
  listExecutionIds,
  skipEventNumbers,
} from "./sqlite/database-copies.ts";
export { checkDatabase } from "./sqlite/inspect-database.ts";
export { openSqliteStorage } from "./sqlite/open-sqlite-storage.ts";
