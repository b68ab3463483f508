export { addCustomAgent } from "./agents/add-custom-agent.ts";
export { ConfigError, type ConfigFlags, loadConfig } from "./config/load-config.ts";
export { backUpDatabase, backUpDataDir } from "./data-dir/back-up-data-dir.ts";
export { type DatabaseMove, moveDatabaseFromPostgres, moveDatabaseToPostgres } from "./data-dir/move-database.ts";
export { listDatabaseCopies, type RestoredDatabase, restoreDatabase } from "./data-dir/restore-database.ts";
export { ServerAlreadyRunningError } from "./data-dir/server-lock.ts";
export { defaultWebRoot } from "./start/web-root.ts";
export { type RunningServer, startServer } from "./start-server.ts";
