export { type MovedDatabase, moveFromPostgres, moveToPostgres } from "./move/move-database.ts";
export { openPostgresStorage } from "./postgres/open-postgres-storage.ts";
