/** Proves that a request comes from a server that shares the database. It does not identify a user. */
export const nodeHeader = "x-skein-node";
