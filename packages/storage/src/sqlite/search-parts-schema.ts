/*
 * The index is split by row number, so that a search reads the newest messages first and stops when it has enough, and SQLite merges
 * parts of limited size: a prefix that occurs everywhere, and a merge, would otherwise cost more with every message.
 * `conversation_search`, the single index of earlier releases, is searched for messages below `search_backlog.below` until they are
 * re-indexed; then it is dropped.
 */
export const searchPartsSchema = `
CREATE TABLE search_parts (number INTEGER PRIMARY KEY) STRICT;
DELETE FROM search_backlog;
INSERT INTO search_backlog SELECT coalesce(max(row_id) + 1, 0) FROM conversation_messages;
`;
