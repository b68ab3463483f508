/*
 * Advisory locks of a Skein database. The first number keeps them apart from those of other programs ("Skei"). A session lock ends with
 * its connection, a transaction lock with its transaction: a killed server leaves none behind.
 */
const space = 0x536b6569;

/** Held by the connection of the server that uses the database. */
export const serverLock = `${space}, 1`;
/** Held by each transaction that writes. */
export const writeLock = `${space}, 2`;
/** Held while the schema is created or migrated. */
export const migrationLock = `${space}, 3`;
