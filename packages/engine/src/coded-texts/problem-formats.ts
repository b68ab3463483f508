import type { MessageText, ProblemText } from "@skein/contracts";
import { describeStorageFault } from "@skein/contracts/storage-fault";
import { forgeFormats } from "./forge-formats.ts";
import { gitFormats } from "./git-formats.ts";
import { toNames } from "./phrases.ts";
import type { FormatText, TextFormats } from "./text-formats.ts";

type Format<Parameters> = (parameters: Parameters, format: FormatText) => string;

const missing =
  (what: string): Format<{ id: string }> =>
  ({ id }) =>
    `There is no ${what} ${id}. It may have been deleted.`;

const changed = "This has changed since it was shown. Review it again before you trust it.";
const notTrusted = "This is not trusted in this project.";
const notBuilt: Format<{ reason: MessageText }> = ({ reason }, format) => `The next request cannot be built. ${format(reason)}`;
const toPart = ({ message, toolCallId }: { message?: number; toolCallId?: string }) => {
  const part = [...(message === undefined ? [] : [`message ${message}`]), ...(toolCallId === undefined ? [] : [`tool call ${toolCallId}`])];
  return part.length === 0 ? "" : ` (${part.join(", ")})`;
};
const ofBranch = (branch: string | undefined) => (branch === undefined ? "its branch" : `its branch ${branch}`);
const trustUnreadable: Format<{ path: string }> = ({ path }) =>
  `${path} cannot be read, so nothing that it lists is trusted. Delete the file, then trust again.`;

/** English formats of problem details. */
export const problemFormats: TextFormats<ProblemText> = {
  ...gitFormats,
  ...forgeFormats,

  "internal-error": "Something went wrong inside Skein. The server's log has the details.",
  "sandbox-unavailable": ({ state, detail }) => {
    const reasons = {
      system: "sandboxes need Linux on x86-64 or ARM64.",
      "not-installed": "bubblewrap is not installed. Install it, for example with: sudo apt install bubblewrap",
      "not-permitted": `bubblewrap may not create namespaces: ${detail ?? ""}`,
    };
    return `The agent was not started, because this machine cannot run its sandbox: ${reasons[state]}`;
  },
  "storage-unavailable": ({ cause: fault }) => {
    const { cause, remedy } = describeStorageFault(fault);
    return `${cause} ${remedy}`;
  },
  "method-not-allowed": ({ allowed }) => `Method not allowed. Allowed: ${allowed.join(", ")}.`,
  "unknown-route": ({ path }) => `There is no ${path}. The routes are described in /api/openapi.json.`,
  "not-found": ({ id }) => `There is no ${id}.`,
  "invalid-request": ({ place, path, reason = { code: "value-invalid" } }, format) =>
    `${path === "" ? `The ${place}` : `${path} (${place})`}: ${format(reason)}.`,
  "unsupported-media-type": "Send the body as JSON, with the header content-type: application/json.",
  "malformed-json": ({ reason }) => `The body is not valid JSON${reason === undefined ? "" : ` (${reason})`}.`,
  "body-too-large": ({ maxBytes }) => `The body is too large. Allowed: ${maxBytes} bytes.`,
  "malformed-request": "This is not a valid HTTP request.",
  "headers-too-large": "The request's headers are too large.",
  "request-timeout": "The request took too long to arrive.",
  "too-many-event-clients": ({ count }) =>
    `${count} event streams are already open. Close some tabs or programs that are connected to Skein.`,
  "host-not-allowed": "This server is not available under this host name.",
  "origin-not-allowed": ({ isOwn }) =>
    isOwn
      ? "The request's Origin and Host headers differ. A proxy must pass the Host header through unchanged."
      : "Pages of other origins may not use this server.",
  "token-required": "Only programs with the bearer token may do this.",
  unauthorized:
    "Sign in first. A browser needs a new link, printed by `npm start` or `skein open`; a program needs the content of the token file as bearer token.",
  "metrics-off": "This server measures nothing. Set SKEIN_METRICS=1, or telemetry.metrics in config.json, and restart it.",
  "team-mode-off": "This server has no users. Start it with skein serve --team to use accounts.",
  "sign-in-failed": "The e-mail address or the password is wrong.",
  "sign-in-limited": ({ seconds }) => `Too many failed attempts. Try again in ${seconds} seconds.`,
  "sign-in-busy": "Too many people are signing in at this moment. Try again in a few seconds.",
  "sign-in-not-completed": ({ provider, reason }) => `Signing in with ${provider} failed: ${reason}. Try again.`,
  "sign-in-not-invited": ({ provider }) =>
    `${provider} confirmed who you are, but this server has no user with your address. Ask an administrator for an invitation.`,
  "sign-in-provider-not-found": ({ id }) => `There is no sign-in provider ${id}.`,
  "invitation-not-valid": "This invitation is no longer valid: each one can be used once and expires. Ask for a new one.",
  "invitation-needs-email": "Enter the e-mail address that you want to sign in with.",
  "email-taken": ({ email }) => `There is already a user with the address ${email}.`,
  "password-wrong": "The current password is wrong.",
  "role-required": ({ role }) => `Only a project's ${role} may do this. Ask an owner of the project.`,
  "admin-required": "Only administrators of this server may do this.",
  "scope-required": ({ scope }) => `The API token needs the scope ${scope} for this.`,
  "token-needs-user": "This server has users: name the user that the API token is for.",
  "not-for-agents": "Agents cannot do this. Ask the user to do it in Skein.",
  "agent-mode-too-high": ({ mode }) =>
    `An agent cannot start another one that may do more than itself. Use the permission mode ${mode} or a stricter one, or leave it out.`,
  "agent-needs-sandbox": "This agent runs in a sandbox: it can give work only to attempts that run in one.",
  "agent-needs-worktree": "An agent can start other attempts only in worktrees of their own. Leave out the isolation.",
  "not-started-by-agent": ({ id }) =>
    `An agent can send messages only to attempts that it started, and stop only those. ${id} is not one of them; start a new attempt instead.`,
  "agent-depth-limit": ({ limit }) =>
    `The limit for agents that start agents is reached (${limit} levels). Do the work yourself, or ask the user to raise it in Settings → Skein for agents.`,
  "agent-start-limit": ({ limit }) =>
    `The limit of what may be started with this access is reached (${limit}). Continue with what is already running, or ask the user to raise it in Settings → Skein for agents.`,
  "agent-cost-limit": ({ limitUsd, costUsd }) =>
    `What was started with this access has cost $${costUsd.toFixed(2)} of at most $${limitUsd.toFixed(2)}. Ask the user to raise the limit in Settings → Skein for agents.`,
  "request-id-reused": "This id was used before, for a request with other content. Use a new id for a new request.",
  "browser-required": "This needs a signed-in browser; an API token cannot do it.",
  "user-deactivated": "This user is deactivated.",
  "last-admin": "This is the last active administrator. Make another user an administrator first.",
  "key-not-readable": ({ name }) =>
    `The key for ${name} was stored by a server with another secret. Set SKEIN_CLUSTER_SECRET to the same value on every server, or enter the key again.`,
  "user-not-found": ({ id }) => `There is no user ${id}.`,
  "session-not-found": ({ id }) => `There is no session ${id}.`,
  "token-not-found": ({ id }) => `There is no API token ${id}.`,
  "invitation-not-found": ({ id }) => `There is no invitation ${id}.`,
  "launch-code-not-valid":
    "This launch link no longer works: each link signs in one browser, once, within ten minutes. Get a new one with `npm start` or `skein open`.",

  "project-not-found": missing("project"),
  "task-not-found": missing("task"),
  "attempt-not-found": missing("attempt"),
  "execution-not-found": missing("execution"),
  "message-not-found": missing("message"),
  "inbox-item-not-found": missing("inbox item"),
  "output-not-found": missing("output"),
  "queued-message-not-found": missing("queued message"),
  "permission-rule-not-found": missing("permission rule"),
  "approval-not-found": missing("approval"),
  "comment-not-found": missing("comment"),
  "quarantined-execution-not-found": missing("quarantined execution"),
  "agent-not-found": missing("agent"),

  "agent-not-added": ({ id }) => `The agent ${id} was not added by you, so it cannot be changed here.`,
  "not-in-catalogue": ({ id }) => `The catalogue has no agent “${id}”.`,
  "agent-built-in": ({ agent, builtIn }) => `${agent} is built into Skein as ${builtIn}. There is nothing to add.`,
  "catalogue-changed": ({ agent }) => `The catalogue entry for ${agent} has changed since it was shown. Review its command again.`,
  "agent-exists": ({ id }) => `There is already an agent ${id}, with a command of your own. Remove it first.`,
  "terminals-off": 'Terminals are turned off on this server. An administrator can turn them on: `"terminals": true` in config.json.',
  "terminals-unavailable": ({ reason }) => `The program could not be started on this machine: ${reason}`,
  "too-many-terminals": ({ limit }) => `This attempt has ${limit} terminals already. Close one of them first.`,
  "terminal-not-found": ({ id }) => `There is no terminal ${id}. It may have been closed.`,
  "no-free-port": "No port from 20000 to 29999 is free for the dev server. Stop a program that uses one of them.",
  "dev-script-missing":
    "The project has no dev script. Add `dev` to .skein/project.json, for example `npm run dev -- --port $SKEIN_PORT`, and trust it in the project's settings.",
  "dev-script-unusable": ({ reason }, format) => `The dev server was not started. ${format(reason)}`,
  "dev-in-sandbox":
    "An attempt in a sandbox has a network of its own, where its dev server could not be reached. Use an attempt without a sandbox.",
  "host-unreachable": ({ host }) =>
    `The worker ${host} is not connected. Check its machine and network; its agents keep running meanwhile.`,
  "host-removed": ({ host }) => `The worker ${host} was removed. Move the attempt to another worker, or to this machine.`,
  "host-busy": ({ host }) => `The worker ${host} runs as many agents as it may. The message waits for one of them to end.`,
  "host-draining": ({ host }) => `The worker ${host} starts no more agents. Activate it, or move the attempt to another one.`,
  "host-not-found": ({ host }) => `No connected worker has the id, name or tag ${host}.`,
  "host-needs-worktree": ({ host }) => `An attempt on the worker ${host} needs a worktree: the project's folder is on the server.`,
  "host-lacks-agent": ({ host, agent }) =>
    `The worker ${host} does not have the agent ${agent}. Install it there, or choose another worker.`,
  "already-on-host": () => "The attempt is already there.",
  "attempt-not-mirrored": ({ host }) => `Nothing of this attempt has arrived from the worker ${host}, so it cannot be continued elsewhere.`,
  "worker-code-not-valid": () => "This code is not valid: it was used, or has expired. Create another one: skein workers invite",
  "worker-refused": () => "This worker is not known to the server, or was removed. Invite it again: skein workers invite",
  "agent-not-available": ({ agent, known, hint }, format) => {
    if (known !== undefined) return `There is no agent “${agent}” here. Known: ${known.join(", ")}.`;
    return `${agent} cannot be started here.${hint === undefined ? "" : ` ${format(hint)}`}`;
  },
  "model-not-usable": ({ reason }, format) => format(reason),
  "unknown-agent-mode": ({ mode }) => `The agent's session offers no mode “${mode}”.`,
  "sessions-not-offered": ({ agent }) => `${agent} does not offer to list and resume its sessions.`,
  "sessions-not-listed": ({ agent, reason }, format) => `${agent} could not list its sessions. ${format(reason)}`,
  "session-needs-project-folder":
    "A session belongs to the folder that it was made in. To continue one, let the attempt work in the project's folder.",
  "session-or-attempt": "An attempt continues either a session or another attempt. Choose one.",

  "project-exists": ({ path, project }) => `“${path}” has already been added, as the project “${project}”.`,
  "uncommitted-changes": ({ attempt, directory, ...files }) =>
    directory === undefined
      ? `Attempt ${attempt} has uncommitted changes: ${toNames(files)}. Commit them, or delete it with discard=true.`
      : `The repository of attempt ${attempt} is missing or damaged, so Skein cannot check ${directory} for uncommitted changes. Save what you need from there, then delete it with discard=true.`,
  "attempt-continued": ({ attempt, next }) =>
    `Attempt ${next} continues attempt ${attempt} and needs its conversation. Delete attempt ${next} first.`,
  "attempt-id-taken": ({ id }) => `The id ${id} belongs to an attempt of another task. Choose another id.`,
  "source-not-found": ({ id }) => `This task has no attempt ${id} to continue.`,
  "source-in-worktree": ({ attempt }) =>
    `Attempt ${attempt} works in its own worktree, so its files are not in the project's folder. Continue it in a worktree.`,
  "fork-source-not-found": ({ id }) => `This task has no execution ${id} to fork from.`,
  "fork-needs-worktree": "A fork gets the files of an earlier moment, so it needs a worktree of its own.",
  "fork-or-continue": "An attempt is forked from an execution, or continues another attempt or a session. Choose one.",
  "no-attempt": "No attempt found for this task. Please create an attempt first.",
  "empty-message": "The message is empty. Write something, or add an image.",
  "cannot-retry":
    "Only the newest message of an attempt can be sent again, and only if the agent has not started on it. Send a new message instead.",
  "image-too-large": ({ width, height, maxEdge, maxPixels }) =>
    `The image has ${width} × ${height} pixels. Send one with at most ${maxEdge} pixels on a side and ${maxPixels / 1_000_000} million in total.`,
  "execution-not-waiting": "This execution is not waiting any more: it has been started or stopped.",
  "already-handed-over": "The agent already has this message, so it can no longer be changed.",
  "inbox-item-superseded": "The attempt has received another message since.",
  "node-unreachable": ({ name }) =>
    `This is on the machine of the server ${name}, which cannot be reached now. Start that server; if it will not return, remove it with \`skein nodes remove\`.`,
  "node-not-found": missing("server"),
  "node-draining": ({ name }) =>
    `The server ${name} is being drained and takes no projects. Use another server, or activate it: skein nodes undrain ${name}`,
  "node-alive": ({ name }) => `The server ${name} is running. Stop it before you remove it.`,
  "job-not-found": missing("job"),
  "template-not-found": missing("template"),
  "schedule-not-found": missing("schedule"),
  "webhook-not-found": missing("webhook"),
  "delivery-refused": "There is no such webhook, or the delivery is not signed with its secret.",
  "webhook-off": "This webhook is turned off.",
  "webhook-limited": ({ seconds }) => `This webhook receives too much. Deliver again in ${seconds} s.`,
  "template-in-use": (users) => `This template is used by ${toNames(users)}. Change or delete that first.`,
  "template-values-missing": (variables) => `These variables need a value: ${toNames(variables)}.`,
  "other-project": "This template or attempt belongs to another project.",
  "cron-invalid": ({ cron }) =>
    `“${cron}” is not a cron expression, or has no next time. Write five fields: minute, hour, day of month, month and day of week, such as 0 9 * * 1-5.`,
  "time-zone-invalid": ({ timeZone }) => `“${timeZone}” is not a time zone. Use an IANA name, such as Europe/Zurich.`,
  "run-starting": "A run is just being started.",
  "previous-run-open": "The previous run still works.",
  "automation-user-lost": ({ name }) =>
    `${name}, who saved this last, may no longer work on the project. Any member who saves it again takes it over.`,
  "check-open": "The checks of this attempt are already running.",
  "no-open-check": "No check of this attempt is running.",
  "attempt-active": "The active attempt cannot be archived. Make another one active first.",
  "job-over": "This job is over, or another server runs it now.",
  "nodes-not-shared": "This server uses a SQLite database, which no other server can share.",
  "answered-by-agent":
    "This answer came from a process that a running agent started, so it was rejected. Answer in the browser, or from a terminal of your own.",
  "approval-already-resolved": "This has already been answered, or its execution has ended.",
  "nothing-to-undo": "This conversation has not been compressed.",
  "not-recoverable": ({ id, directory }) =>
    `The execution ${id} comes from an earlier release, which did not record its task. Its log is in ${directory}.`,
  "agent-running": ({ id }) => `The agent of ${id} is still running. Stop or recover it first.`,
  "attempt-running": ({ attempt, task }) =>
    `Attempt ${attempt} of “${task}” is running. Wait until it ends, or stop it, then recover this execution.`,
  "preview-failed": ({ directory, reason }) =>
    `The next request could not be built${directory === undefined ? "" : `. Check that the folder ${directory} still exists`}. (${reason})`,
  "request-empty": "The next request cannot be built. It has no messages.",
  "request-starts-with-tool": "The next request cannot be built. It starts with a tool result.",
  "request-orphaned-tool": (part) => `The next request cannot be built. It has a tool result without a call${toPart(part)}.`,
  "request-unanswered-call": (part) => `The next request cannot be built. It has a tool call without a result${toPart(part)}.`,
  "model-rate-limit": notBuilt,
  "model-quota": notBuilt,
  "model-overloaded": notBuilt,
  "model-context-too-long": notBuilt,
  "model-bad-request": notBuilt,
  "model-auth": notBuilt,
  "model-network": notBuilt,
  "model-unknown-model": notBuilt,
  "model-other": notBuilt,

  "no-message-model": "No model is configured that can suggest a commit message. Add an API key in the settings.",
  "message-model-changed": ({ model }) => `Nothing was sent: the message would now be suggested by ${model}. Try again if you agree.`,
  "commit-message-failed": ({ model, reason }, format) => `${model} suggested no commit message. ${format(reason)}`,
  "base-not-found": ({ branch }) => `There is no branch or commit “${branch}” in this repository.`,
  "no-commit": "This repository has no commit yet, so there is nothing to branch from. Make a first commit, or start the attempt in place.",
  "no-branch-name": ({ prefix }) => `Every branch name ${prefix}-… is taken. Delete old branches, or rename the task.`,
  "objects-missing":
    "Some files of this commit are missing in the repository (a partial clone), and Skein does not fetch them. Check the commit out once, then try again.",
  "folder-gone": ({ directory }) => `The folder ${directory} no longer exists. Restore it, or delete the project.`,
  "folder-replaced": ({ directory, branch }) =>
    `The folder ${directory} was replaced by a link, so the agent was not started. Remove the link, then send a message: the folder is restored from ${ofBranch(branch)}.`,
  "worktree-gone": ({ branch }) =>
    `The folder of this attempt and ${ofBranch(branch)} no longer exist, so it cannot be continued. Start a new attempt.`,
  "worktree-not-restored": ({ branch, reason }) =>
    `The folder of this attempt no longer exists and could not be recreated from ${ofBranch(branch)}: ${reason}`,
  "outside-worktrees": ({ directory }) => `“${directory}” is not one of Skein's worktrees, so it was left alone.`,
  "path-not-found": ({ path }) => `There is no folder “${path}”. Check the spelling, or clone the repository there first.`,
  "path-not-absolute": ({ path }) => `“${path}” is a relative path. Enter the whole path, starting with / or ~.`,
  "path-not-a-folder": ({ path }) => `“${path}” is a file. Enter the folder of a git repository.`,
  "path-unreadable": ({ path }) =>
    `Skein may not read “${path}”. Give your user read access to it (ls -ld shows its owner), or choose another folder.`,
  "path-unusable": ({ path, reason }) => `“${path}” cannot be used: ${reason}`,
  "git-missing": "git was not found. Install it, then try again.",
  "repository-owned-by-another": ({ path }) =>
    `git refuses “${path}” because another user owns it. If you trust it, run: git config --global --add safe.directory "${path}"`,
  "bare-repository": ({ path }) => `“${path}” is a bare repository, without files to work on. Clone it, and add the clone.`,
  "repository-format-unsupported": ({ path, extension }) => {
    const what = extension === undefined ? "a newer format" : `the extension “${extension}”`;
    const hint = extension?.toLowerCase() === "refstorage" ? " (branches in the reftable format need git 2.45)" : "";
    return `“${path}” uses ${what}, which the installed git does not support${hint}. Install a newer git, then try again.`;
  },
  "not-a-repository": ({ path }) =>
    `“${path}” is not a git repository. Run “git init” and make a first commit there, or choose another folder.`,
  "files-unreadable": ({ directory }) => `The files in ${directory} could not be listed. Check that the folder still exists.`,
  "export-page-missing": () =>
    "The page for exports is part of the web UI, which is not built. Run npm start, or export as JSON or Markdown.",
  "not-an-export": () => "This file is not an exported attempt. Export one as JSON: skein export <attempt> --format json",
  "export-other-version": ({ format }) =>
    `This file was written by another version of Skein (${format}), which this one does not read. Update Skein, or export the attempt again.`,
  "export-not-json": ({ reason }) => `This file is not valid JSON (${reason}). Export the attempt again.`,
  "export-cut-off": () => "This file ends in the middle: it was not saved completely. Export the attempt again.",
  "export-field-invalid": ({ field, issue }, format) =>
    `This file was changed, or is damaged. ${field}: ${format(issue).replace(/\.$/, "")}. Export the attempt again.`,
  "export-part-too-large": ({ field, maxLength }) => `“${field}” in this file is longer than what is read (${maxLength}).`,
  "export-too-deep": ({ field }) => `“${field}” in this file is nested too deeply to be read.`,
  "diff-failed": ({ directory }) => `The changes in ${directory} could not be read. Check that the folder still exists.`,
  "folder-not-found": ({ directory }) => `The folder ${directory} no longer exists. Create a new attempt to continue.`,
  "file-not-found": ({ path }) => `There is no “${path}” in this folder that can be displayed.`,

  "config-unreadable": ({ path, reason }) => `${path} cannot be read: ${reason}. Correct it, or remove it.`,
  "config-not-json": ({ path, reason }) => `${path} is not valid JSON (${reason}). Correct it, or remove the file.`,
  "config-field-invalid": ({ path, field, issue }, format) =>
    `${path}: ${field === "" ? "the file" : field}: ${format(issue).replace(/\.$/, "")}. Correct it, or remove the setting.`,
  "config-unusable": ({ reason }, format) => format(reason),
  "config-not-saved": ({ path, reason }) => `${path} could not be written (${reason}). Check the disk and its permissions.`,
  "scripts-changed": changed,
  "agent-settings-changed": changed,
  "hooks-changed": changed,
  "git-lfs-changed": changed,
  "scripts-not-trusted": "You have not trusted this project's scripts. Review them in the project's settings, then try again.",
  "agent-settings-not-trusted": notTrusted,
  "hooks-not-trusted": notTrusted,
  "git-lfs-not-trusted": notTrusted,
  "mcp-trust-unreadable": trustUnreadable,
  "mcp-server-not-found": ({ server }) => `The project's .mcp.json has no MCP server “${server}”.`,
  "mcp-server-changed": ({ server }) => `The MCP server “${server}” has changed. Review it again before you trust it.`,
  "mcp-server-invalid": ({ reason }, format) => format(reason),
  "mcp-server-not-trusted": ({ server }) => `The MCP server “${server}” is not trusted in this project.`,
  "mcp-server-failed": ({ notices }, format) =>
    `${notices.map((notice) => format(notice)).join(" ")} It is not trusted. Fix the problem, then trust it.`,
};
