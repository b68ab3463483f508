import { text } from "./column-types.ts";

/** The tables of SQLite's `hosts-schema.ts`. */
export const hostsSchema = `
CREATE TABLE hosts (
  id ${text} PRIMARY KEY,
  kind ${text} NOT NULL CHECK (kind IN ('server', 'worker')),
  name ${text} NOT NULL,
  tags ${text} NOT NULL CHECK (json_valid(tags)),
  capacity bigint NOT NULL CHECK (capacity > 0),
  version ${text} NOT NULL,
  agents ${text} NOT NULL CHECK (json_valid(agents)),
  state ${text} NOT NULL CHECK (state IN ('invited', 'active', 'draining', 'removed')),
  token_hash ${text} NOT NULL UNIQUE,
  expires_at bigint,
  last_seen_at bigint,
  connected_node_id ${text},
  created_at bigint NOT NULL
);
ALTER TABLE attempts ADD COLUMN host_id ${text} REFERENCES hosts (id);
CREATE INDEX attempts_on_hosts ON attempts (host_id) WHERE host_id IS NOT NULL;
`;
