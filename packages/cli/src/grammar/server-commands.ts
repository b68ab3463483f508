import { Argument, type Command, Option } from "commander";
import { shells } from "../completion/completion-scripts.ts";
import { postponeEngineWork } from "../serve/postpone-engine-work.ts";
import { type Choose, examples, homeOption, idText, toPort } from "./terms.ts";

/** Commands that start, find and check servers. */
export function addServerCommands(program: Command, choose: Choose): void {
  program.commandsGroup("Server:");

  program
    .command("serve")
    .description("start the server and its web UI")
    .option("--port <number>", "port to listen on (0: any free port)", toPort)
    .option("--host <address>", "address to listen on; any but the loopback address needs --behind-proxy or TLS")
    .addOption(homeOption())
    .option("--behind-proxy", "the server runs behind a proxy that terminates TLS")
    .option("--public-url <url>", "the address that users open, if it differs")
    .option("--tls-cert <file>", "certificate chain (PEM)")
    .option("--tls-key <file>", "private key of the certificate (PEM)")
    .option("--team", "with users: accounts, roles per project, sign-in")
    .option("--no-open", "do not open a browser")
    .addHelpText("after", examples("skein serve", "skein serve --port 8080 --no-open"))
    .action((options) =>
      choose(async () => {
        const resume = postponeEngineWork();
        return (await import("../commands/serve.ts")).serve(options, { onReady: resume });
      }),
    );

  program
    .command("open")
    .description("print a link that signs a browser in, and open it; with an id and --editor, open an attempt's folder in an editor")
    .argument("[id]", idText)
    .addOption(homeOption())
    .option("--no-open", "only print the link")
    .addOption(
      new Option("--editor [editor]", "the editor (default: `editor` of config.json, or vscode)").choices([
        ...["vscode", "cursor", "zed", "jetbrains"],
      ]),
    )
    .option("--file <file>", "with --editor: a file of the attempt, perhaps with a line: src/a.ts:12")
    .addHelpText("after", examples("skein open", "skein open --no-open", "skein open att_01k8b2xr --editor zed"))
    .action((id, options) =>
      choose(async () => {
        if (id === undefined) return (await import("../commands/open.ts")).open(options);
        return (await import("../commands/open-in-editor.ts")).openInEditor(id, { ...options, editor: options.editor ?? true });
      }),
    );

  program
    .command("nodes")
    .description("list the servers that share the Postgres database, take one out of service, or remove one that will not return")
    .addArgument(new Argument("[action]", "what to do").choices(["list", "drain", "undrain", "remove"]).default("list"))
    .argument("[server]", "name or id (nod_…)")
    .option("--wait", "with drain: until the server can be stopped")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein nodes", "skein nodes drain build-2 --wait", "skein nodes remove build-2"))
    .action((action, server, options) => choose(async () => (await import("../commands/nodes.ts")).nodes(action, server, options)));

  program
    .command("jobs")
    .description("list what the server does by itself, with its schedules, or cancel a job")
    .addArgument(new Argument("[action]", "what to do").choices(["list", "cancel"]).default("list"))
    .argument("[job]", "id (job_…)")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein jobs", "skein jobs cancel job_01k…"))
    .action((action, id, options) => choose(async () => (await import("../commands/jobs.ts")).jobs(action, id, options)));

  const loadCompletion = () => import("../commands/completion.ts");
  program
    .command("completion")
    .description("print the script that completes skein in a shell")
    .addArgument(new Argument("<shell>", "your shell").choices(shells))
    .addHelpText("after", examples("source <(skein completion bash)", "skein completion fish > ~/.config/fish/completions/skein.fish"))
    .action((shell) => choose(async () => (await loadCompletion()).printCompletion(shell)));
  program
    .command("complete", { hidden: true })
    .argument("[words...]")
    .action((words) => choose(async () => (await loadCompletion()).complete(program, words)));

  program
    .command("doctor")
    .description("check that this machine has what Skein needs")
    .addOption(homeOption())
    .addHelpText("after", examples("skein doctor"))
    .action((options) => choose(async () => (await import("../commands/doctor.ts")).doctor(options)));
}
