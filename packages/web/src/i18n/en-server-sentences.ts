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
  },
  agents: {
    notInstalled: "{} is not installed. Run: {}",
    noProgram: "{}: the command “{}” in your settings is not a program that can be run. Correct it there.",
    doesNotStart: "{} does not start: {}. Install it again: {}",
    tooOld: "{} is too old: Skein needs {} or newer. Run: {}",
    noModel: "No model is configured.",
    noKey: "Add its key in the settings, or set {} before starting Skein.",
  },
  notices: {
    stopped: "Stopped.",
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
  },
};

export type ServerSentences = typeof serverSentencesEn;
