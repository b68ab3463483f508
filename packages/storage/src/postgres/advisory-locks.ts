/*
 * Advisory locks of a Skein database. The first number keeps them apart from those of other programs ("Skei"). A session lock ends with
 * its connection, a transaction lock with its transaction: a killed server leaves none behind.
 */
const space = 0x536b6569;

/** Shared by the connections of the servers that use the database. Moving it takes the lock alone. */
export const serverLock = `${space}, 1`;
/** Held by each transaction that writes. */
export const writeLock = `${space}, 2`;
/** Channel of notifications with the number of the last committed event. */
export const eventChannel = "skein_events";
/** Channel of notifications that something about the nodes has changed. */
export const nodeChannel = "skein_nodes";
/** Held while the schema is created or migrated. */
export const migrationLock = `${space}, 3`;
