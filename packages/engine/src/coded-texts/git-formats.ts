import type { GitText } from "@skein/contracts";
import { toCount } from "./phrases.ts";
import type { TextFormats } from "./text-formats.ts";

/** English formats of texts about branches and reviews. */
export const gitFormats: TextFormats<GitText> = {
  "agent-working": "The agent is still working. Stop it, or wait until it has ended.",
  "nothing-to-commit": "There is nothing to commit: no file differs from the last commit.",
  "nothing-to-land": ({ base }) => `There is nothing to land: ${base} already has all changes of this attempt.`,
  uncommitted: ({ files }) => `${toCount(files, "changed file is", "changed files are")} not committed. Commit or discard them first.`,
  "behind-base": ({ base, behind }) =>
    `${base} has ${toCount(behind, "commit")} that conflict with this attempt. Update the attempt and resolve the conflicts first.`,
  "in-conflict": "The attempt is in the middle of an update with conflicts. Resolve them, or abort the update.",
  "detached-head": "The folder has no branch checked out (detached HEAD). Check out a branch in it first.",
  "unborn-branch": "The repository has no commit yet. Make a first commit.",
  "no-base-branch": "The attempt has no base branch: it was started from a commit.",
  "base-gone": ({ base }) => `The base branch ${base} no longer exists. Recreate it, or push this branch and open a pull request.`,
  "base-checked-out-dirty": ({ base, path }) =>
    `${base} is checked out in ${path}, which has uncommitted changes. Commit or stash them there first.`,
  "base-checked-out-elsewhere": ({ base, path }) =>
    `${base} is checked out in another worktree, ${path}. Check out another branch there first.`,
  "base-not-fast-forward": ({ base }) =>
    `${base} has commits that this attempt does not have, so it cannot be fast-forwarded. Update the attempt first.`,
  "no-identity": "Git does not know who you are. Set your name and email address with git config.",
  "no-remote": "The repository has no remote to push to. Add one with git remote add.",
  "no-credential": ({ host }) =>
    `There is no valid credential for ${host}. Push once in a terminal, or sign in with its command line tool.`,
  "index-locked": ({ path }) =>
    `Another git command is running in this folder: ${path} exists. Wait until it has ended. If none is running, delete that file.`,
  "in-place": "The attempt works in your checkout, so it has no branch of its own to update or land.",
  shallow: "The repository is a shallow clone without the history that this needs. Run: git fetch --unshallow",
  "uses-lfs": ({ directory }) =>
    `This repository stores files with Git LFS, and Skein runs no filters. Use git in a terminal instead: cd ${directory}`,
  "git-too-old": ({ version }) => `This needs git 2.38 or newer. Installed: ${version}.`,

  "git-failed": ({ directory, reason }) => `Git failed in ${directory}: ${reason}. Nothing was changed.`,
  "operation-interrupted": ({ reason }) =>
    `The operation could not be completed: ${reason}. Fix the problem, then try again: it is completed before anything else happens.`,
  "hook-refused": ({ hook, output }) =>
    `The repository's ${hook} hook refused it, so nothing was changed.${output === "" ? "" : `\n${output}`}`,
  "hook-timed-out": ({ hook, minutes }) => `The repository's ${hook} hook did not end within ${minutes} minutes, so nothing was changed.`,
  "changed-since": ({ path }) => `${path} has changed since you selected it. Review the changes again.`,
  "files-changed": "Files of the folder changed in the meantime. Try again.",
  "files-in-the-way": ({ directory, names }) => `Ignored files in ${directory} would be overwritten: ${names}. Move them away first.`,
  "ref-moved": ({ branch }) => `${branch} was changed by someone else in the meantime. Try again.`,
  "safety-ref-gone": "This safety copy no longer exists. Copies are kept for 30 days.",
  "not-recorded": "The state of the files at that moment was not recorded, so it cannot be restored.",
  "no-conflict": "The attempt has no conflict to resolve.",
  "no-conflict-in-file": ({ path }) => `${path} has no conflict.`,
  "unresolved-files": ({ names }) => `These files still have conflicts: ${names}. Resolve them first.`,
  "not-landed": "This attempt has not been landed.",
  "ssh-refused": ({ host }) => `${host} does not accept your ssh key. Try it in a terminal: ssh -T git@${host}`,
  "ssh-host-unknown": ({ host }) => `The host key of ${host} is not known. Connect to it once in a terminal: ssh -T git@${host}`,
  "no-ssh": ({ host }) => `${host} is reached by ssh, which is not installed here. Install it, or use an https address.`,
  "push-declined": ({ host, branch, said }) => `${host} does not accept ${branch}: ${said}`,
  "push-rejected": ({ host, branch }) => `Someone else has pushed to ${branch} on ${host}. Run git fetch and look at their commits.`,
  "no-network": ({ host }) => `${host} cannot be reached. Check the network, then try again.`,
  "remote-gone": ({ url }) => `There is no repository at ${url}, or you have no access to it.`,
  "push-failed": ({ host, said }) => `The push to ${host} failed: ${said}`,
  "no-such-lines": ({ path }) => `${path} no longer has these lines. Review the changes again.`,
  "comment-sent": "A comment that was sent cannot be changed. Write another one.",
  "comment-not-sent": "This comment is a draft. Send the review, or delete the comment.",
  "empty-review": "The review has no comments yet. Write one first.",
};
