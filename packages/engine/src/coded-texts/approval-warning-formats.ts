import type { ApprovalWarning } from "@skein/contracts";
import type { TextFormats } from "./text-formats.ts";

/** English formats of approval warnings. */
export const approvalWarningFormats: TextFormats<ApprovalWarning> = {
  "runs-as-other-user": "It runs as another user, outside of every limit that Skein sets.",
  "deletes-folders": "It deletes folders and everything in them. This cannot be undone.",
  "deletes-found-files": "It deletes every file that it finds. This cannot be undone.",
  "runs-from-network": "It runs a program straight from the network.",
  "overwrites-remote": "It overwrites or deletes commits in the remote repository that others may already have fetched.",
  "discards-changes": "It discards uncommitted changes.",
  "overwrites-disk": "It overwrites a file or a disk byte by byte.",
  "changes-file-system": "It creates or changes a file system. What was on the disk is lost.",
  "changes-rights": "It changes the permissions or the owner of everything below a folder.",
  "turns-machine-off": "It turns the machine off.",
  "writes-to-device": "It writes directly to a device.",
  "not-checked": "It is too long or too deeply nested to be checked.",
  "copies-itself": "It starts copies of itself without end.",
  "git-file": ({ path }) => `${path} belongs to git itself. What is written there can make git run programs.`,
  "agent-settings-file": ({ path }) => `${path} holds settings of a coding agent. What is written there can make it run programs.`,
  "editor-file": ({ path }) => `${path} is read by an editor, a shell or git. What is written there can make them run programs.`,
  "package-file": ({ path }) => `${path} is part of an installed package. What is written there runs with every program that uses it.`,
  "asks-for-permission": ({ agent, permission }) => `${agent} asks for “${permission}”.`,
  "trusted-file": ({ path }) => `${path} is run by settings of this repository that you trust. What is written there runs immediately.`,
};
