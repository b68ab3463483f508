/** Machines where attempts live, other than the server's own. A host with attempts is never deleted: its state becomes `removed`. */
export const hostsSchema = `
CREATE TABLE hosts (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('server', 'worker')),
  name TEXT NOT NULL,
  tags TEXT NOT NULL CHECK (json_valid(tags)),
  capacity INTEGER NOT NULL CHECK (capacity > 0),
  version TEXT NOT NULL,
  agents TEXT NOT NULL CHECK (json_valid(agents)),
  state TEXT NOT NULL CHECK (state IN ('invited', 'active', 'draining', 'removed')),
  token_hash TEXT NOT NULL UNIQUE,
  expires_at INTEGER,
  last_seen_at INTEGER,
  connected_node_id TEXT,
  created_at INTEGER NOT NULL
) STRICT;
ALTER TABLE attempts ADD COLUMN host_id TEXT REFERENCES hosts (id);
CREATE INDEX attempts_on_hosts ON attempts (host_id) WHERE host_id IS NOT NULL;
`;
