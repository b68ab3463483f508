import { type Command, Option } from "commander";
import { type Choose, examples, homeOption, idText } from "./terms.ts";

/** Commands that bring the work of an attempt to its base branch or to a forge. */
export function addBranchCommands(program: Command, choose: Choose): void {
  program.commandsGroup("Branches and pull requests:");
  const load = () => import("../commands/branch.ts");
  const define = (name: string, description: string, ...lines: string[]) =>
    program
      .command(name)
      .description(description)
      .argument("<id>", idText)
      .option("--json", "print JSON")
      .addOption(homeOption())
      .addHelpText("after", examples(...lines));

  define("git", "print the state of an attempt's branch, and what to do next", "skein git tsk_01k8b2xq").action((id, options) =>
    choose(async () => (await load()).gitState(id, options)),
  );
  define("commit", "commit the changes of an attempt", 'skein commit tsk_01k8b2xq --message "Add a flag"')
    .option("-m, --message <text>", "the commit message")
    .option("--suggest", "commit nothing: send the diff to a model and print the message that it suggests")
    .option("--files <path...>", "only these files (default: all)")
    .action((id, options) => choose(async () => (await load()).commit(id, options)));
  define("discard", "discard the changes of files; a safety copy is kept for 30 days", "skein discard tsk_01k8b2xq src/a.ts")
    .argument("<files...>", "paths, relative to the repository")
    .action((id, files, options) => choose(async () => (await load()).discard(id, files, options)));
  define("update", "rebase an attempt onto its base branch", "skein update tsk_01k8b2xq", "skein update tsk_01k8b2xq --continue")
    .option("--merge", "merge the base branch instead")
    .option("--continue", "continue after conflicts have been resolved")
    .option("--abort", "go back to before the update")
    .action((id, options) => choose(async () => (await load()).update(id, options)));
  define("land", "land an attempt on its base branch; the task is done then", "skein land tsk_01k8b2xq", "skein land tsk_01k8b2xq --undo")
    .addOption(new Option("--method <method>", "how (default: squash)").choices(["fast-forward", "squash", "merge"]))
    .option("-m, --message <text>", "message of the squash or merge commit (default: the task's title)")
    .option("--undo", "undo the landing, as long as the base branch has not moved since")
    .action((id, options) => choose(async () => (await load()).land(id, options)));
  define(
    "fork",
    "fork an attempt: a new one with its files and its history up to an execution",
    "skein fork tsk_01k8b2xq",
    'skein fork tsk_01k8b2xq --execution exe_01k8b2xs --before --message "Do it with a flag instead"',
  )
    .option("--execution <id>", "the execution to fork from (default: the last)")
    .option("--before", "from before the execution and its message")
    .option("-m, --message <text>", "send this message at once and run in the foreground; - reads it from standard input")
    .option("--agent <id>", "another agent")
    .option("--model <model>", "another model")
    .action((id, options) => choose(async () => (await import("../commands/fork.ts")).fork(id, options)));
  define("push", "push the branch of an attempt to a remote", "skein push tsk_01k8b2xq --remote origin")
    .option("--remote <name>", "the remote (default: that of the base branch, or origin)")
    .action((id, options) => choose(async () => (await load()).push(id, options)));
  define(
    "pr",
    "push the branch of an attempt and create its pull request, or update it",
    "skein pr tsk_01k8b2xq",
    "skein pr tsk_01k8b2xq --status",
    "skein pr tsk_01k8b2xq --send-feedback",
  )
    .option("--title <text>", "title (default: the task's)")
    .option("--body <text>", "description (default: the task's, the agent's answer and the changed files)")
    .option("--base <branch>", "branch to merge into (default: the attempt's base branch)")
    .option("--draft", "as a draft")
    .addOption(new Option("--ready", "ready for review, if it was a draft").conflicts("draft"))
    .addOption(
      new Option("--status", "print its state, checks and reviews; exits with 1 if something failed").conflicts(["draft", "ready"]),
    )
    .addOption(new Option("--send-feedback", "send failed checks and comments to the agent").conflicts(["status", "draft", "ready"]))
    .action((id, options) => choose(async () => (await import("../commands/pull-request.ts")).pullRequest(id, options)));
}
