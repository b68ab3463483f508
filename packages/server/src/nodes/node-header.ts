/** Proves that a request comes from a server that shares the database. It says nothing about whose request it is. */
export const nodeHeader = "x-skein-node";
