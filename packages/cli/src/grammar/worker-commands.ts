import { type Command, Option } from "commander";
import { type Choose, collect, examples, homeOption, idText, toCount } from "./terms.ts";

/** Commands for workers, the other machines that run attempts. */
export function addWorkerCommands(program: Command, choose: Choose): void {
  program.commandsGroup("Other machines:");
  const load = () => import("../commands/workers.ts");
  program
    .command("worker")
    .description("run attempts of a server on this machine")
    .option("--server <url>", "address of the server (repeatable: servers of one database; default: those of the last start)", collect, [])
    .option("--token <code>", "the code of `skein workers invite`; needed for the first start")
    .option("--name <name>", "shown for this machine (default: its host name)")
    .option("--tag <tag>", "by which attempts choose it (repeatable)", collect, [])
    .option("--capacity <number>", "agents at the same time (default: 4)", toCount)
    .option("--allow-http", "connect without encryption: keys and files can be read on the way")
    .addOption(new Option("--home <dir>", "data dir of the worker (default: $SKEIN_HOME, or ~/.skein-worker)"))
    .addHelpText("after", examples("skein worker --server https://skein.example.com --token Jx4…", "skein worker"))
    .action((options) => choose(async () => (await import("../commands/worker.ts")).worker(options)));
  const workers = program.command("workers").description("list, invite, drain and remove workers");
  const define = (name: string, description: string, options: { isDefault?: boolean } = {}) =>
    workers.command(name, options).description(description).option("--json", "print JSON").addOption(homeOption());
  define("list", "list the workers with their state, agents and executions", { isDefault: true }).action((options) =>
    choose(async () => (await load()).workers(options)),
  );
  define("invite", "print the command that starts a worker on another machine")
    .option("--name <name>", "the worker's name")
    .action((options) => choose(async () => (await load()).inviteWorker(options)));
  define("drain", "start no more agents on a worker; those that run there continue")
    .argument("<worker>", "id or name")
    .action((worker, options) => choose(async () => (await load()).changeWorker(worker, "draining", options)));
  define("activate", "start agents on a drained worker again")
    .argument("<worker>", "id or name")
    .action((worker, options) => choose(async () => (await load()).changeWorker(worker, "active", options)));
  define("remove", "remove a worker for good; what runs there is interrupted")
    .argument("<worker>", "id or name")
    .action((worker, options) => choose(async () => (await load()).removeWorker(worker, options)));
  program
    .command("attempts")
    .description("move attempts between machines")
    .command("move")
    .description("move an attempt to another machine, with its last recorded files")
    .argument("<id>", idText)
    .argument("<worker>", "id, name or tag of a worker; server: the server's own machine")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein attempts move att_01k8b2xr build-box", "skein attempts move att_01k8b2xr server"))
    .action((id, worker, options) => choose(async () => (await load()).moveAttempt(id, worker, options)));
}
