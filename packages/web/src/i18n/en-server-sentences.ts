/** What the server says to everyone in English, sentence by sentence; `{}` stands for a name, a path or a command. */
export const serverSentencesEn = {
  danger: {
    otherUser: "It runs with the rights of another user, outside of every limit that Skein sets.",
    deletes: "It deletes folders with everything in them, and that cannot be undone.",
    deletesFound: "It deletes every file that it finds, and that cannot be undone.",
    fromNetwork: "It runs a program that comes straight from the network.",
    overwritesRemote: "It overwrites or deletes what others may already have fetched from the remote repository.",
    discards: "It throws away changes that are not committed.",
    overwritesDisk: "It writes over a file or a disk byte by byte.",
    fileSystem: "It makes or changes a file system; what was on the disk is lost.",
    rights: "It changes the rights or the owner of everything below a folder.",
    turnsOff: "It turns the machine off.",
    device: "It writes straight to a device.",
    unchecked: "It is too long or too deeply nested to be checked.",
    copiesItself: "It starts copies of itself without end.",
  },
  protection: {
    git: "{} belongs to git itself: what is written there can make git run programs.",
    agentSettings: "{} holds settings of a coding agent: what is written there can make it run programs.",
    editor: "{} is read by an editor, a shell or git: what is written there can make them run programs.",
    packages: "{} is part of an installed package: what is written there runs with every program that uses it.",
    trustedFile: "{} is run by settings of this repository that you trust: what is written there would run at once.",
  },
  agents: {
    notInstalled: "{} is not installed. Run: {}",
    noProgram: "{}: the command “{}” in your settings is not a program that can be run. Correct it there.",
    doesNotStart: "{} does not start: {}. Install it again: {}",
    tooOld: "{} is too old: Skein needs {} or newer. Run: {}",
    noModel: "No model is configured.",
    noKey: "Add its key in the settings, or set {} before starting Skein.",
    noLauncher: "{} is started by {}, which is not on this machine. It is part of {}",
    noCatalogueProgram: "{} is not installed: there is no program “{}” in your PATH. Get it from {}",
    turnedOff: "{} is turned off. Turn it on in Settings → Agents.",
    removed: "This agent was removed. Add it again in Settings → Agents, or continue with another agent.",
    downloading: "{} is downloading {}. This happens once and can take some minutes.",
    notReachable:
      "{} could not be downloaded: {} cannot reach {}. Connect to the network, or check its proxy settings, then send a message to retry. Once downloaded, it starts without a network.",
    notInRegistry: "{} could not be downloaded: {} that {} uses does not have {}. Add it with a command of your own in Settings → Agents.",
    notDownloaded: "{} could not be downloaded by {}: {}",
  },
  notices: {
    stopped: "Stopped.",
    stepLimit: "Paused after {} steps, the limit in the settings. Continue to resume from here.",
    costLimit: "Paused: this execution has cost {}, and its limit is {}. Continue to spend up to {} more.",
    sentAgain: "The message was sent again.",
    processLost: "The agent's process was lost: it, or the machine, was stopped from outside. Send a message to continue.",
    endedBySignal: "The agent was ended by {}. Send a message to continue.",
    unfinished: "The agent ended without finishing its answer. Send a message to continue.",
    noAnswer: "The agent ended without an answer. It wrote nothing to stderr.",
    noAnswerButErrors: "The agent ended without an answer. Its stderr says: {}",
    noPlanMode: "{} has no plan mode. Choose another permission mode.",
    offersNoPlanMode: "{} offers no plan mode, so nothing was sent. Choose another permission mode, then send the message again.",
    codexWithoutPlanMode: "This version of Codex has no plan mode. Update it (npm install -g @openai/codex), or choose another mode.",
    cannotAsk: "{} cannot be asked for permissions: whatever mode is chosen, it works with full access.",
    actedUnasked:
      "{} acted without asking, although the permission mode is not full access. Skein can only answer what an agent asks, not hold it to the mode.",
    changedCheckout: "The agent changed files in your checkout, outside of this attempt: {}. They are not part of its changes.",
    changedOther:
      "The agent changed files in the folder of another attempt, outside of this attempt: {}. They are not part of its changes.",
    commandChangedCheckout:
      "Files in your checkout changed while the agent ran a command that names them: {}. They are not part of this attempt's changes.",
    commandChangedOther:
      "Files in the folder of another attempt changed while the agent ran a command that names them: {}. They are not part of this attempt's changes.",
    serverEdited:
      "The MCP server “{}” was not started: files that it runs are not as you trusted them ({}). The agent continues without it. Review the changes in the project's settings.",
    serversNotTrusted: "MCP servers of this project that you have not trusted were not started: {}.",
    scriptEdited: "The {} script was not run. Files that it runs are not as you trusted them: {}. Review them in the project's settings.",
    settingsNotTrusted:
      "This repository has settings for agents that you have not trusted ({}): the agent was started without them. Review them in the project's settings.",
    settingsEdited:
      "This repository has settings for agents that are not as you trusted them ({}): the agent was started without them. Review them in the project's settings.",
    scriptsNotTrusted:
      "This repository has {} that you have not trusted: it was not used. Review it in the project's settings; once trusted, it is used from the next message on.",
    scriptsChanged:
      "This repository has {} that has changed since you trusted it: it was not used. Review it in the project's settings; once trusted, it is used from the next message on.",
    lfsNotTrusted:
      "Missing Git LFS files in this worktree: {}. It has pointers in their place. To download them, trust Git LFS in the project's settings, or run “git lfs fetch” in the repository; then send a message.",
    lfsMoved:
      "Missing Git LFS files in this worktree: {}. It has pointers in their place. They would now come from {}, which you have not trusted. Review Git LFS in the project's settings.",
    lfsNoProgram:
      "Missing Git LFS files in this worktree: {}. It has pointers in their place. The program git-lfs was not found. Install it, then send a message.",
    lfsFailed: "Missing Git LFS files in this worktree: {}. It has pointers in their place. git-lfs could not download them: {}",
    lfsNoRoom: "Missing Git LFS files in this worktree: {}. It has pointers in their place, because the disk has no room for them.",
    lfsNoMatch:
      "Missing Git LFS files in this worktree: {}. It has pointers in their place. Their content was not found, or does not match the pointers.",
    lfsNoServer:
      "Missing Git LFS files in this worktree: {}. It has pointers in their place. The repository names no server for Git LFS: it has no remote.",
    lfsNoProtocol:
      "Missing Git LFS files in this worktree: {}. It has pointers in their place. Skein downloads Git LFS files only from https, http and ssh addresses.",
    lfsNotPlaced: "Files that Git LFS stores could not be put into this worktree: {}",
    sharedFolder: "Another agent works in this folder at the same time (attempt {} of “{}”): each can overwrite the other's changes.",
    silent: "The model has not responded for {} s. The agent may be retrying a failed request.",
    wasSilent: "The model did not respond for {} s.",
    retried: "A request to the model failed: retry {}.",
    loginRejected: "{}'s login was not accepted (“{}”). {}",
    keyRejected: "{} did not accept {}'s API key (“{}”). Check the key that is set for this address.",
    noQuota: "The account that {} uses has no quota left (“{}”). Check its plan and billing, or choose another model.",
    rateLimited: "The model's provider limits {}'s requests (“{}”). Wait a minute, then send a message to retry.",
    providerFailed: "The model's provider failed (“{}”). This is usually temporary: send a message to retry.",
    modelUnreachable: "{} could not reach its model (“{}”). Check the network and the proxy settings, then send a message to retry.",
  },
};

export type ServerSentences = typeof serverSentencesEn;
