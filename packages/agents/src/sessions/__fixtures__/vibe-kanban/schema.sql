-- The tables of vibe-kanban 0.1.44 (Apache-2.0) that are read.
CREATE TABLE "projects" (
    id                BLOB PRIMARY KEY,
    name              TEXT NOT NULL,
    remote_project_id BLOB,
    created_at        TEXT NOT NULL DEFAULT (datetime('now', 'subsec')),
    updated_at        TEXT NOT NULL DEFAULT (datetime('now', 'subsec'))
, default_agent_working_dir TEXT DEFAULT '');
CREATE TABLE tasks (
    id          BLOB PRIMARY KEY,
    project_id  BLOB NOT NULL,
    title       TEXT NOT NULL,
    description TEXT,
    status      TEXT NOT NULL DEFAULT 'todo'
                   CHECK (status IN ('todo','inprogress','done','cancelled','inreview')),
    created_at  TEXT NOT NULL DEFAULT (datetime('now', 'subsec')),
    updated_at  TEXT NOT NULL DEFAULT (datetime('now', 'subsec')), parent_workspace_id BLOB REFERENCES "workspaces"(id),
    FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE TABLE "workspaces" (
    id                 BLOB PRIMARY KEY,
    task_id            BLOB,
    container_ref      TEXT,
    branch             TEXT NOT NULL,
    setup_completed_at TEXT,
    created_at         TEXT NOT NULL DEFAULT (datetime('now', 'subsec')),
    updated_at         TEXT NOT NULL DEFAULT (datetime('now', 'subsec')),
    archived           INTEGER NOT NULL DEFAULT 0,
    pinned             INTEGER NOT NULL DEFAULT 0,
    name               TEXT
, worktree_deleted BOOLEAN NOT NULL DEFAULT FALSE);
CREATE TABLE sessions (
    id              BLOB PRIMARY KEY,
    workspace_id    BLOB NOT NULL,
    executor        TEXT,
    created_at      TEXT NOT NULL DEFAULT (datetime('now', 'subsec')),
    updated_at      TEXT NOT NULL DEFAULT (datetime('now', 'subsec')), agent_working_dir TEXT, name TEXT,
    FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE TABLE "execution_processes" (
    id              BLOB PRIMARY KEY,
    session_id      BLOB NOT NULL,
    executor_action TEXT NOT NULL DEFAULT '{}',
    status          TEXT NOT NULL DEFAULT 'running'
                       CHECK (status IN ('running','completed','failed','killed')),
    exit_code       INTEGER,
    dropped         INTEGER NOT NULL DEFAULT 0,
    started_at      TEXT NOT NULL DEFAULT (datetime('now', 'subsec')),
    completed_at    TEXT,
    created_at      TEXT NOT NULL DEFAULT (datetime('now', 'subsec')),
    updated_at      TEXT NOT NULL DEFAULT (datetime('now', 'subsec')), run_reason TEXT NOT NULL DEFAULT 'setupscript'
    CHECK (run_reason IN ('setupscript',
                               'cleanupscript',
                               'archivescript',
                               'codingagent',
                               'devserver')),
    FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
CREATE TABLE "execution_process_logs" (
    execution_id      BLOB NOT NULL,
    logs              TEXT NOT NULL,      -- JSONL format (one LogMsg per line)
    byte_size         INTEGER NOT NULL,
    inserted_at       TEXT NOT NULL DEFAULT (datetime('now', 'subsec')),
    FOREIGN KEY (execution_id) REFERENCES execution_processes(id) ON DELETE CASCADE
);
CREATE TABLE coding_agent_turns (
    id                    BLOB PRIMARY KEY,
    execution_process_id  BLOB NOT NULL,
    agent_session_id      TEXT,
    prompt                TEXT,
    summary               TEXT,
    created_at            TEXT NOT NULL DEFAULT (datetime('now', 'subsec')),
    updated_at            TEXT NOT NULL DEFAULT (datetime('now', 'subsec')), seen INTEGER NOT NULL DEFAULT 0, agent_message_id TEXT,
    FOREIGN KEY (execution_process_id) REFERENCES execution_processes(id) ON DELETE CASCADE
);
CREATE TABLE repos (
    id           BLOB PRIMARY KEY,
    path         TEXT NOT NULL UNIQUE,
    name         TEXT NOT NULL,
    display_name TEXT NOT NULL,
    created_at   TEXT NOT NULL DEFAULT (datetime('now', 'subsec')),
    updated_at   TEXT NOT NULL DEFAULT (datetime('now', 'subsec'))
, setup_script TEXT, cleanup_script TEXT, copy_files TEXT, parallel_setup_script INTEGER NOT NULL DEFAULT 0, dev_server_script TEXT, default_target_branch TEXT, default_working_dir TEXT, archive_script TEXT);
CREATE TABLE "workspace_repos" (
    id            BLOB PRIMARY KEY,
    workspace_id    BLOB NOT NULL,
    repo_id       BLOB NOT NULL,
    target_branch TEXT NOT NULL,
    created_at    TEXT NOT NULL DEFAULT (datetime('now', 'subsec')),
    updated_at    TEXT NOT NULL DEFAULT (datetime('now', 'subsec')),
    FOREIGN KEY (workspace_id) REFERENCES "workspaces"(id) ON DELETE CASCADE,
    FOREIGN KEY (repo_id) REFERENCES repos(id) ON DELETE CASCADE,
    UNIQUE (workspace_id, repo_id)
);
