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
  },
  agents: {
    notInstalled: "{} is not installed. Run: {}",
    noProgram: "{}: the command “{}” in your settings is not a program that can be run. Correct it there.",
    doesNotStart: "{} does not start: {}. Install it again: {}",
    tooOld: "{} is too old: Skein needs {} or newer. Run: {}",
    noModel: "No model is configured.",
    noKey: "Add its key in the settings, or set {} before starting Skein.",
  },
  notices: { stopped: "Stopped." },
};

export type ServerSentences = typeof serverSentencesEn;
