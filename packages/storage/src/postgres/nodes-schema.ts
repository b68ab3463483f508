import { text } from "./column-types.ts";

/**
 * `nodes`: the servers that use the database, each with its lease (epoch milliseconds of the database's clock) and its fence. `cluster`: what
 * they share. `browser_sessions`: browsers that are signed in, at all of them. These tables exist only in Postgres.
 */
export const nodesSchema = `
ALTER TABLE projects ADD COLUMN node_id ${text};
ALTER TABLE attempts ADD COLUMN node_id ${text};
ALTER TABLE executions ADD COLUMN owner_node ${text};
ALTER TABLE executions ADD COLUMN stop_requested_at bigint;
CREATE TABLE nodes (
  id ${text} PRIMARY KEY,
  name ${text} NOT NULL,
  internal_url ${text} NOT NULL,
  version ${text} NOT NULL,
  state ${text} NOT NULL CHECK (state IN ('active', 'stopped', 'lost', 'removed')),
  fence bigint NOT NULL,
  lease_until bigint NOT NULL,
  started_at bigint NOT NULL,
  epoch ${text},
  home ${text}
);
CREATE TABLE cluster (id bigint PRIMARY KEY CHECK (id = 1), secret ${text} NOT NULL);
CREATE TABLE browser_sessions (
  cookie_hash ${text} PRIMARY KEY,
  secret_hash ${text} NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL
);
`;
