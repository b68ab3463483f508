export { addCustomAgent } from "./agents/add-custom-agent.ts";
export { ConfigError, type ConfigFlags, loadConfig } from "./config/load-config.ts";
export { backUpDatabase, backUpDataDir } from "./data-dir/back-up-data-dir.ts";
export { DataDirError } from "./data-dir/data-dir-error.ts";
export {
  type DatabaseCopy,
  listDatabaseCopies,
  type RestoredDatabase,
  restoreDatabase,
} from "./data-dir/restore-database.ts";
export { findRunningServer, ServerAlreadyRunningError } from "./data-dir/server-lock.ts";
export { UnsafeBindingError } from "./http/security/safe-binding.ts";
export { defaultWebRoot, type RunningServer, type ServerOptions, startServer } from "./start-server.ts";
export { version } from "./version.ts";
