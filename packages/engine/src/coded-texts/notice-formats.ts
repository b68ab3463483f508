import type { CompressionFailure, LeftOut, NoticeText } from "@skein/contracts";
import { budgetScopes, limitReached, toAmount, toReset, toResource } from "./limit-phrases.ts";
import { toCount, toDollars, toLogIn, toNames } from "./phrases.ts";
import type { TextFormats } from "./text-formats.ts";

const retry = "Send a message to retry.";
const proceed = "Send a message to continue.";
const review = "Review them in the project's settings.";
const notStarted = "so the agent was not started. Fix the problem, then send a message to retry.";
const download = (agent: string) => `${agent} could not be downloaded`;
const registryOf = (program: string) => (program === "uvx" ? "the Python package index" : "the npm registry");
const pointers = (count: number) => `${toCount(count, "Git LFS file")} missing in this worktree, with pointers in their place`;
const folderOf = { checkout: "your checkout", "another-attempt": "another attempt's folder" };
const leftOut: Readonly<Record<LeftOut, string>> = {
  effort: "the reasoning effort from the settings",
  thoughts: "the model's earlier thoughts",
  images: "images",
  "thoughts-and-images": "the model's earlier thoughts and all images",
  calls: "thoughts and images, and with earlier tool calls as text",
  "older-outputs": "older tool outputs",
  outputs: "tool outputs, except for the beginning of the latest",
};

const failures: Readonly<Record<CompressionFailure, string>> = {
  "no-model": "No model is set for summaries",
  "nothing-to-summarize": "Only the current request is left to summarize",
  "does-not-shrink": "The summary was not shorter than the messages it replaces",
  "too-long": "The conversation is too long for the model that writes summaries",
  empty: "The model wrote no summary",
  "cut-short": "The summary was cut off",
  refused: "The model refused to write a summary",
  "model-failed": "The model that writes summaries failed",
  "timed-out": "The model that writes summaries took too long",
  cancelled: "The compression was cancelled",
  "switched-off": "Compression is turned off",
  "not-automatic": "Conversations are not compressed automatically",
  "changed-meanwhile": "The conversation was compressed by someone else in the meantime",
};

function toNoFit(fits: boolean, failure?: CompressionFailure): string {
  if (fits) return "";
  const first = failure === "not-automatic" ? "Send /compact, start a new attempt" : "Start a new attempt";
  return ` The next request is still too long. ${first}, or choose a model with a larger context window.`;
}

const toTokens = (before: number, after: number) => `${before} → ${after} tokens`;
const toRetries = (attempt: number) => (attempt === 1 ? "one retry" : `${attempt} retries`);
const toDelay = (ms: number) => (ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`);

function toPrinted({ stdout, stderr }: { stdout?: string; stderr?: string }): string {
  const line = stdout === undefined ? "" : ` It wrote a line to its standard output that is not an MCP message: ${stdout}`;
  return `${line}${stderr === undefined ? "" : ` It wrote:\n${stderr}`}`;
}

/** English formats of texts in conversations. */
export const noticeFormats: TextFormats<NoticeText> = {
  "provider-limits": ({ provider, said }) => `${provider} limits the rate of requests: ${said}`,
  "provider-stopped-account": ({ provider, said }) => `${provider} has stopped the account: ${said}`,
  "provider-overloaded": ({ provider, said }) => `${provider} is overloaded or has failed: ${said}`,
  "conversation-too-long": ({ model, said }) => `The conversation is too long for ${model}: ${said}`,
  "provider-refused-request": ({ provider, said }) => `${provider} refused the request: ${said}`,
  "provider-refused-key": ({ provider, variable, said }) => `${provider} did not accept the key. Check ${variable}. Its answer: ${said}`,
  "provider-connection-failed": ({ provider, said }) => `The connection to ${provider} failed or broke off: ${said}`,
  "provider-answer-unfinished": ({ provider }) => `The connection to ${provider} failed or broke off: the answer has no end.`,
  "provider-answer-stalled": ({ provider, seconds }) => `The connection to ${provider} failed or broke off: no data for ${seconds} s.`,
  "provider-unknown-model": ({ provider, model, said }) => `${provider} does not know ${model}, or the base URL is wrong: ${said}`,
  "provider-error": ({ provider, said }) => `${provider} failed: ${said}`,
  "answer-broke-off": "The model's answer broke off.",
  "model-needs-key": ({ model, variable }) => `${model} needs a key. Set ${variable} in the environment that Skein is started in.`,
  "model-not-known": ({ model, usable, hasScripts }) =>
    `There is no model “${model}”. Available here: ${usable.join(", ")}${hasScripts ? ", or scripted/<path to a script>.json" : ""}. With a key: anthropic/<model>, openai/<model>, openai-chat/<model>, gemini/<model>.`,

  stopped: "Stopped.",
  "step-limit": ({ steps }) => `Paused after ${steps} steps, the limit in the settings. Continue to resume from here.`,
  "budget-reached": ({ scope, measure, spent, limit }) =>
    `The budget of ${budgetScopes[scope]} is used up: ${toAmount(measure, spent)} of ${toAmount(measure, limit)}.`,
  "provider-limit": ({ agent, limit, resetsAt }) => `${limitReached(agent, limit)} ${toReset(resetsAt)}`,
  "continued-elsewhere": ({ from, limit, resetsAt, agent }) =>
    `${limitReached(from, limit)} ${toReset(resetsAt)} ${agent} continues from the files and the conversation of that attempt.`,
  "cost-limit": ({ spentUsd, limitUsd }) =>
    `Paused: this execution has cost $${spentUsd.toFixed(2)}, and its limit is $${limitUsd.toFixed(2)}. Continue to spend up to $${limitUsd.toFixed(2)} more.`,
  "ended-by-resource-limit": ({ resource, limit, used }) =>
    `Stopped because it used more than ${toResource(resource, limit)}, the limit for one execution (${toResource(resource, used)}). Ask the agent to use less at a time, or raise the limit under Settings → Limits. ${proceed}`,
  "program-over-limit": ({ resource, limit, used, names, more }) =>
    `This execution used ${toResource(resource, used)}, and its limit is ${toResource(resource, limit)}. ${names.length === 0 ? "One of its programs was stopped" : `Stopped: ${toNames({ names, more })}`}. Raise the limit under Settings → Limits if the work needs more.`,
  "process-lost": `The agent's process was lost: it, or the machine, was stopped from outside. ${proceed}`,
  "ended-by-signal": ({ signal }) => `The agent was ended by ${signal}. ${proceed}`,
  "ended-unfinished": ({ agent = "The agent" }) => `${agent} ended without finishing its answer. ${proceed}`,
  "ended-without-answer": ({ stderr }) =>
    `The agent ended without an answer. ${stderr === undefined ? "It wrote nothing to stderr." : `Its stderr: ${stderr}`}`,
  "ended-without-result": ({ agent }) => `${agent} ended without a result. ${proceed}`,
  "ended-before-answer": ({ agent }) => `${agent} ended before it answered. ${retry}`,
  "ended-with-exit-code": ({ exitCode, stderr }) =>
    `The agent ended with exit code ${exitCode}.${stderr === undefined ? "" : ` ${stderr}`}`,
  "not-finished": "The agent did not finish.",
  "agent-failed": ({ agent = "The agent", state }) =>
    state === undefined ? `${agent} reported a failure.` : `${agent} stopped: ${state}.`,
  "agent-gave-no-reason": ({ agent }) => `${agent} failed and gave no reason.`,
  "not-started": ({ reason }) => `The agent could not be started: ${reason}`,
  "node-given-up": `The server whose machine the agent ran on was lost and given up. What the agent did there since is not recorded. ${proceed}`,
  "not-started-again": `This execution was not started: the database is an older copy, so it may already have run. ${proceed}`,
  "program-missing": ({ agent, program }) =>
    `${agent} could not be started: ${program} no longer exists. Reinstall it, or correct its command in the settings.`,
  "program-not-executable": ({ agent, program }) =>
    `${agent} could not be started: ${program} is not executable. Run chmod +x on it, or correct its command in the settings.`,
  "program-not-started": ({ agent, reason }) => `${agent} could not be started: ${reason}`,
  "setup-failed": ({ exitCode }) => `The setup script failed with exit code ${exitCode}, ${notStarted}`,
  "setup-timed-out": ({ seconds }) => `The setup script did not end within ${seconds} seconds, ${notStarted}`,
  "setup-not-started": ({ reason }) => `The setup script could not be started (${reason}), ${notStarted}`,
  "setup-ended-by-signal": ({ signal }) => `The setup script was ended by ${signal}, ${notStarted}`,
  "model-declined": "The model declined to answer.",
  "model-reached-output-limit": "The model reached its output limit before it was done.",
  "agent-reached-request-limit": "The agent reached its request limit before it was done.",
  "native-failed": ({ reason }) => `Skein's agent failed: ${reason}`,
  "native-not-started": ({ reason }) => `Skein's agent could not start: ${reason}`,
  "history-unreadable": ({ reason }) => `The history of the conversation could not be read: ${reason}`,

  "message-resent": "The message was sent again.",
  "message-not-sent": ({ images, message }) =>
    `This message${images === 0 ? "" : ` (with ${toCount(images, "image")})`} was waiting when this copy of the database was made. It was not sent again. Send it if you still need it:\n\n${message}`,
  "result-not-saved": ({ reason }) => `The result could not be saved yet (${reason}). Nothing is lost: Skein retries until it succeeds.`,
  "result-saved": "The result is saved now.",

  "approval-tampered": ({ tool }) =>
    `The agent used ${tool} before anyone had answered its question about it in Skein. Check what it did, and stop it if you do not know why.`,
  "control-refused":
    "Something other than Skein tried to control this agent, for example to answer an approval in your place. It was refused. If it was not you, stop the agent and check what it ran.",
  "no-plan-mode": ({ agent }) => `${agent} has no plan mode. Choose another permission mode.`,
  "plan-mode-not-offered": ({ agent }) =>
    `${agent} offers no plan mode, so nothing was sent. Choose another permission mode, then send the message again.`,
  "codex-without-plan-mode": "This version of Codex has no plan mode. Update it (npm install -g @openai/codex), or choose another mode.",
  "codex-without-system-prompt":
    "This version of Codex takes no system prompt: yours was left out. Update it (npm install -g @openai/codex).",
  "codex-cannot-ask":
    "This version of Codex cannot ask for permission, so it may only read. Update it (npm install -g @openai/codex), or choose another mode.",
  "permissions-not-asked": ({ agent }) => `${agent} cannot ask for permission. It works with full access in every mode.`,
  "acted-unasked": ({ agent }) =>
    `${agent} acted without asking, although the permission mode is not full access. Skein can only answer what an agent asks; it cannot enforce the mode.`,
  "changed-elsewhere": ({ owner, files, isCertain }) =>
    isCertain
      ? `The agent changed files in ${folderOf[owner]}, outside this attempt: ${files.join(", ")}. They are not part of its changes.`
      : `Files in ${folderOf[owner]} changed while the agent ran a command that names them: ${files.join(", ")}. They are not part of this attempt's changes.`,
  "agent-settings-not-used": ({ state, ...files }) =>
    `This repository has agent settings that ${state === "changed" ? "have changed since you trusted them" : "you have not trusted"} (${toNames(files)}). The agent was started without them. ${review}`,
  "agent-settings-refused": ({ agent, ...files }) =>
    `This repository has settings for ${agent} that you have not trusted (${toNames(files)}), and ${agent} cannot be started without them. Review and trust them in the project's settings, or remove them.`,
  "scripts-not-used": ({ what, state }) =>
    `This repository has ${what === "setup" ? "a setup script" : "a list of files to copy"} that ${state === "changed" ? "has changed since you trusted it" : "you have not trusted"}, so it was not used. Review it in the project's settings. Once trusted, it is used from the next message on.`,
  "check-not-trusted": ({ state }) =>
    `The check script was not run: ${state === "changed" ? "it has changed since you trusted it" : "you have not trusted it"}. Review it in the project's settings, then run the checks.`,
  "check-superseded": () => "The check script was not run: a message was sent before.",
  "check-stopped": () => "The check was stopped before it began.",
  "check-missing": () => "The project has no check script. Add `check` to .skein/project.json and trust it in the project's settings.",
  "check-folder-gone": () => "The check script was not run: the attempt's folder is gone.",
  "check-not-started": ({ reason }) => `The check script could not be started (${reason}).`,
  "script-files-changed": ({ script, ...files }) =>
    `The ${script} script was not run: files that it runs have changed since you trusted them (${toNames(files)}). ${review}`,
  "script-not-run": ({ script, reason }, format) => `The ${script} script was not run. ${format(reason)} ${review}`,
  "trust-unreadable": ({ path }) => `${path} cannot be read, so nothing that it lists is trusted. Delete the file, then trust again.`,

  "folder-restored": ({ branch }) =>
    `The folder of this attempt was missing. It was recreated from its branch ${branch}, without uncommitted changes.`,
  "shared-folder": ({ attempt, task = "another task" }) =>
    `Another agent works in this folder at the same time (attempt ${attempt} of “${task}”). They can overwrite each other's changes.`,
  "lfs-not-trusted": ({ count }) =>
    `${pointers(count)}. To download them, trust Git LFS in the project's settings, or run “git lfs fetch” in the repository; then send a message.`,
  "lfs-moved": ({ count, address }) =>
    `${pointers(count)}. They would now come from ${address}, which you have not trusted. Review Git LFS in the project's settings.`,
  "lfs-no-program": ({ count }) => `${pointers(count)}: git-lfs was not found. Install it, then send a message.`,
  "lfs-failed": ({ count, said }) => `${pointers(count)}: git-lfs could not download them. ${said}`,
  "lfs-no-room": ({ count }) => `${pointers(count)}: the disk is too full. Free some space, then send a message.`,
  "lfs-not-found": ({ count }) => `${pointers(count)}: their content was not found, or does not match the pointers.`,
  "lfs-no-server": ({ count }) => `${pointers(count)}: the repository has no remote, so there is no Git LFS server.`,
  "lfs-no-protocol": ({ count }) => `${pointers(count)}: Skein downloads Git LFS files only over https, http and ssh.`,
  "lfs-not-placed": ({ reason }) => `Git LFS files could not be placed in this worktree: ${reason}`,

  "mcp-server-edited": ({ server, ...files }) =>
    `The MCP server “${server}” was not started: files that it runs have changed since you trusted them (${toNames(files)}). The agent continues without it. Review the changes in the project's settings.`,
  "mcp-servers-not-trusted": ({ servers }) =>
    `MCP servers of this project were not started because you have not trusted them: ${servers.map(({ name, isChanged }) => (isChanged ? `${name} (changed)` : name)).join(", ")}.`,
  "mcp-server-not-started": ({ server, reason }, format) =>
    `The MCP server “${server}” could not be started, so its tools are left out. ${format(reason)}`,
  "mcp-server-lost": ({ server, reason }, format) =>
    `The connection to the MCP server “${server}” was lost during a call. ${format(reason)}`,
  "mcp-server-restarted": ({ server }) => `The MCP server “${server}” was restarted.`,
  "mcp-server-not-restarted": ({ server, reason }, format) =>
    `The MCP server “${server}” could not be restarted, so its tools are no longer available. ${format(reason)}`,
  "mcp-no-answer": ({ seconds, ...printed }) => `It did not answer within ${seconds} seconds.${toPrinted(printed)}`,
  "mcp-exited": ({ exitCode, ...printed }) => `It ended with exit code ${exitCode}.${toPrinted(printed)}`,
  "mcp-killed": ({ signal, ...printed }) => `It was ended by ${signal}.${toPrinted(printed)}`,
  "mcp-message-too-long": ({ maxBytes, ...printed }) =>
    `Skein ended it because a message was longer than ${maxBytes} bytes.${toPrinted(printed)}`,
  "mcp-connection-closed": (printed) => `The connection was closed.${toPrinted(printed)}`,
  "mcp-connection-failed": ({ said, ...printed }) => `The connection failed: ${said}${toPrinted(printed)}`,
  "mcp-program-not-found": ({ command }) => `The program “${command}” or the working folder was not found.`,
  "mcp-program-not-started": ({ command, error }) => `The program “${command}” could not be started: ${error}`,
  "mcp-key-required": ({ status }) => `It requires a key (HTTP ${status}). Add one to the headers of its definition.`,
  "mcp-redirects-elsewhere": ({ origin }) => `It redirects to another server, ${origin}.`,
  "mcp-redirects-too-often": ({ max }) => `It redirects more than ${max} times.`,
  "mcp-files-changed": (files) => `Files that it runs have changed since they were trusted (${toNames(files)}). ${review}`,
  "mcp-files-not-listed": ({ reason }, format) => `${format(reason)} ${review}`,
  "mcp-server-tools-changed": ({ server }) =>
    `The MCP server “${server}” changed its tools. New ones can be used from the next message on.`,
  "mcp-tools-left-out": ({ left, total }) =>
    `The MCP servers have more tools than a model can be offered: ${left} of ${total} are left out.`,
  "mcp-tools-withheld": ({ server, tools }) =>
    `Tools of the MCP server “${server}” are new or have changed since you trusted them, so they are left out: ${tools.join(", ")}. Trust the server again to use them.`,

  "session-replaced": ({ agent, isInformed }) =>
    `${agent} no longer knows the session of this conversation. A new one was started${isInformed ? ", with the conversation so far" : ""}.`,
  "agent-mode": ({ mode }) => `The agent's mode is now ${mode}.`,
  "images-left-out": ({ agent }) => `${agent} does not accept images. Only the text was sent.`,
  "agent-downloading": ({ agent, program }) => `${program} is downloading ${agent}. This happens once and can take several minutes.`,
  "download-unreachable": ({ agent, program }) =>
    `${download(agent)}: ${program} cannot reach ${registryOf(program)}. Connect to the network, or check the proxy settings, then send a message to retry. Once downloaded, it starts without a network.`,
  "download-unknown": ({ agent, program, package: wanted }) =>
    `${download(agent)}: ${registryOf(program)} that ${program} uses does not have ${wanted}. Add it with a command of your own in Settings → Agents.`,
  "download-failed": ({ agent, program, said }) => `${download(agent)} by ${program}: ${said}`,
  "no-hello": ({ agent, seconds }) => `${agent} did not answer within ${seconds} seconds. Check that its command speaks ACP.`,
  "protocol-version-differs": ({ agent, theirs, ours }) =>
    `${agent} speaks version ${theirs} of ACP; Skein speaks version ${ours}. Update the older of the two.`,
  "session-resumed": ({ agent }) =>
    `This attempt continues an existing session of ${agent}. The agent knows what was said there; it is not shown here.`,
  "session-not-resumed": ({ agent, session, said }) =>
    `${agent} could not resume the session ${session}${said === undefined ? ": it does not offer to resume sessions" : ` (${said})`}. Nothing was sent. Start a new attempt with another session, or without one.`,
  "session-not-named": ({ agent }) => `${agent} opened a session without an id. Update it, then send a message to retry.`,
  "output-limit": "The answer was cut off at the model's output limit.",
  "empty-answer": ({ agent = "The model" }) => `${agent} ended without an answer.`,
  "waiting-for-background": ({ agent, commands }) =>
    `${agent} has answered and waits for its background commands: ${commands.join(", ")}. Stopping ends them.`,
  "conversation-compacted": ({ agent, isAutomatic, tokensBefore, tokensAfter }) => {
    const size =
      tokensBefore === undefined
        ? ""
        : tokensAfter === undefined
          ? ` (was ${tokensBefore} tokens)`
          : ` (${toTokens(tokensBefore, tokensAfter)})`;
    return `${agent} ${isAutomatic ? "automatically " : ""}summarized the conversation${size}.`;
  },
  "conversation-reset": ({ agent }) => `${agent} started a new conversation. It no longer knows the messages above.`,
  "api-retry": ({ said, attempt, most, delayMs }) =>
    `The API ${said === undefined ? "did not answer" : `answered ${said}`}: retry ${attempt}${most === undefined ? "" : ` of ${most}`}${delayMs === undefined ? "" : ` in ${(delayMs / 1000).toFixed(1)} s`}.`,
  "hook-failed": ({ hook = "A hook", exitCode, outcome = "failed", said }) =>
    `Hook ${hook}: ${exitCode === undefined ? outcome : `exit code ${exitCode}`}.${said === undefined ? "" : ` ${said}`}`,
  "background-command-ended": "A background command ended.",
  "background-task-ended": ({ state }) => `A background task ended: ${state}.`,
  "notice-without-text": ({ agent }) => `${agent} sent a notice without text.`,
  "unknown-output": ({ agent, kind }) =>
    `${agent} sends “${kind}”, which this version of Skein does not know. It is kept in the execution's log.`,
  "unknown-request": ({ agent, kind }) => `${agent} asks for “${kind}”, which this version of Skein does not know and refuses.`,
  "request-refused": ({ agent, said }) => `${agent} refused a request${said === undefined ? "." : `: ${said}`}`,
  "agent-error": ({ agent }) => `${agent} reported an error.`,
  "model-call-failed": "The request to the model failed.",
  "summary-model-unusable": ({ reason }, format) => `Summaries are written by the model of this attempt: ${format(reason)}`,
  "sent-without": ({ reason, leftOut: part }, format) =>
    `${format(reason)}\nThe request was sent again without ${leftOut[part]}. The conversation itself is unchanged.`,
  "background-commands-ended": ({ commands }) =>
    `Background commands end with the execution. Still running were: ${commands.map((command) => `\`${command}\``).join(", ")}`,
  "not-released": ({ reason }) => `Something that the agent started could not be ended: ${reason}`,

  "login-rejected": ({ agent, said, login }) => `${agent}'s login was not accepted (“${said}”). ${toLogIn(login)}`,
  "key-rejected": ({ agent, gateway, said }) =>
    `${gateway} did not accept ${agent}'s API key (“${said}”). Check the key that is set for this address.`,
  "no-quota": ({ agent, said }) =>
    `The account that ${agent} uses has no quota left (“${said}”). Check its plan and billing, or choose another model.`,
  "rate-limited": ({ agent, said }) =>
    `The model's provider limits ${agent}'s requests (“${said}”). Wait a minute, then send a message to retry.`,
  "provider-failed": ({ said }) => `The model's provider failed (“${said}”). This is usually temporary: send a message to retry.`,
  "model-unreachable": ({ agent, said }) =>
    `${agent} could not reach its model (“${said}”). Check the network and the proxy settings, then send a message to retry.`,
  "credit-too-low": ({ said }) =>
    `${said}. Add credit at https://console.anthropic.com, or log in with a subscription: run \`claude\` and enter /login.`,
  "option-unknown": ({ agent, option, install }) => `${agent} does not know the option ${option}: it is too old. Run: ${install}`,
  "variable-not-passed": ({ agent, id, variable }) =>
    `${agent} needs ${variable}, which Skein does not pass on. Add it in config.json: {"agents": {"${id}": {"environment": {"${variable}": "…"}}}}`,
  "sandbox-failed": ({ agent }) =>
    `${agent} could not start its sandbox on this machine, so its commands do not run. Install bubblewrap and allow user namespaces, or choose the permission mode “full” if the machine itself is a sandbox.`,
  "model-silent": ({ seconds }) => `The model has not responded for ${seconds} s. The agent may be retrying a failed request.`,
  "model-was-silent": ({ seconds }) => `The model did not respond for ${seconds} s.`,
  "model-retried": ({ attempt }) => `A request to the model failed: retry ${attempt}.`,
  "retry-waiting": ({ reason, attempt, delayMs }, format) => `${format(reason)}\nRetrying in ${toDelay(delayMs)} (retry ${attempt}).`,
  "retry-succeeded": ({ reason, attempt }, format) => `${format(reason)}\nIt succeeded after ${toRetries(attempt)}.`,
  "retry-failed": ({ reason, attempt }, format) => `${format(reason)}\nIt still failed after ${toRetries(attempt)}.`,

  "conversation-compressed": ({ messages, tokensBefore, tokensAfter, model, inputTokens, outputTokens, costUsd, fits }) => {
    const used = inputTokens === undefined || outputTokens === undefined ? "" : ` from ${inputTokens} tokens in ${outputTokens}`;
    const cost = costUsd === undefined || costUsd === 0 ? "" : ` for ${toDollars(costUsd)}`;
    return `A summary replaces ${toCount(messages, "message")} in requests: ${toTokens(tokensBefore, tokensAfter)}. Written by ${model}${used}${cost}.${toNoFit(fits)}`;
  },
  "outputs-pruned": ({ failure, outputs, tokensBefore, tokensAfter, fits }) =>
    `${failures[failure]}, so the ${outputs === 1 ? "oldest tool output is" : `${outputs} oldest tool outputs are`} left out of requests: ${toTokens(tokensBefore, tokensAfter)}. Nothing was deleted.${toNoFit(fits, failure)}`,
  "compression-failed": ({ failure, fits }) =>
    `${failures[failure]}. Nothing was changed.${failure === "switched-off" ? " Turn it on in Settings → Conversations, then send /compact." : ""}${toNoFit(fits, failure)}`,
  "compression-not-needed": "The conversation is short enough.",

  "agent-unusable": ({ hint }, format) => format(hint),
};
