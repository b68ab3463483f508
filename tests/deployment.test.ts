import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { validate } from "dockerfile-utils";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { createProgram } from "../packages/cli/src/program.ts";
import { newFolder } from "./support/repository.ts";

/*
 * No container engine and no cluster runs here. Each file is checked by a linter for its format, and what it says about Skein (commands,
 * flags, variables, ports) against Skein itself.
 */

const repository = fileURLToPath(new URL("..", import.meta.url));
const read = (name: string) => readFileSync(join(repository, "deploy", name), "utf8");

interface ComposeService {
  image: string;
  command?: string;
  volumes?: string[];
  depends_on?: string[] | Record<string, unknown>;
}
const compose = parse(read("compose.yaml")) as { services: Record<string, ComposeService>; volumes: Record<string, null> };

interface Manifest {
  apiVersion: string;
  kind: string;
  spec: { template: { spec: { containers: { args: string[] }[] } } };
}
const manifests = parseAllDocuments(read("kubernetes.yaml")).map((document) => document.toJS() as Manifest);

/** The arguments of every `skein` that a file starts. */
const commands = [
  ...Object.values(compose.services)
    .filter(({ image }) => image === "skein")
    .map(({ command = "" }) => command.replaceAll(/\$\{(\w+)[^}]*\}/g, "$1").split(" ")),
  ...manifests.filter(({ kind }) => kind === "StatefulSet").map(({ spec }) => spec.template.spec.containers[0]?.args ?? []),
  ...["skein.service", "skein-worker.service"].map(
    (name) => /^ExecStart=\/usr\/bin\/env skein (.*)$/m.exec(read(name))?.[1]?.split(" ") ?? [],
  ),
  JSON.parse(/^CMD (\[.*\])$/m.exec(read("Dockerfile"))?.[1] ?? "") as string[],
];

test.each(commands.map((args) => ({ args, line: args.join(" ") })))(
  "skein accepts the command of a deployment: $line",
  async ({ args }) => {
    let chosen = 0;
    await createProgram(() => (chosen += 1)).parseAsync(args, { from: "user" });
    expect(chosen).toBe(1);
  },
);

test("deployments only set variables that Skein reads", () => {
  const sources = execFileSync("git", ["grep", "-hoE", "\\bSKEIN_[A-Z_]+", "--", "packages/*/src/*.ts"], {
    cwd: repository,
    encoding: "utf8",
  });
  const known = new Set(sources.split("\n"));
  const own = new Set(["SKEIN_DOMAIN"]); // of compose.yaml itself
  for (const name of readdirSync(join(repository, "deploy"))) {
    const used = new Set(read(name).match(/\bSKEIN_[A-Z_]+/g));
    expect(
      [...used].filter((variable) => !known.has(variable) && !own.has(variable)),
      name,
    ).toEqual([]);
  }
});

test("the Dockerfile has no problems", () => {
  expect(validate(read("Dockerfile")).map(({ message }) => message)).toEqual([]);
});

test("services of compose.yaml use services and volumes that it has", () => {
  for (const [name, service] of Object.entries(compose.services)) {
    const needed = Array.isArray(service.depends_on) ? service.depends_on : Object.keys(service.depends_on ?? {});
    expect(Object.keys(compose.services), name).toEqual(expect.arrayContaining(needed));
    for (const volume of service.volumes ?? []) expect(Object.keys(compose.volumes), name).toContain(volume.split(":")[0]);
  }
});

const definitions: Record<string, string> = {
  "v1 Namespace": "core/v1",
  "v1 Secret": "core/v1",
  "v1 Service": "core/v1",
  "apps/v1 StatefulSet": "apps/v1",
  "networking.k8s.io/v1 Ingress": "networking/v1",
};

test("each object of kubernetes.yaml has the fields of its kind, and no others", () => {
  const folder = newFolder("manifests");
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  const lines = manifests.map((manifest, i) => {
    const source = definitions[`${manifest.apiVersion} ${manifest.kind}`];
    if (source === undefined) throw new Error(`kubernetes.yaml has an unknown kind: ${manifest.apiVersion} ${manifest.kind}`);
    return `import type { ${manifest.kind} as Kind${i} } from "kubernetes-types/${source}.d.ts";\nexport const object${i}: Kind${i} = ${JSON.stringify(manifest, null, 1)};`;
  });
  writeFileSync(join(folder, "manifests.ts"), lines.join("\n"));
  const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--module", "nodenext", "--skipLibCheck", "manifests.ts"];
  const { stdout } = spawnSync(join(repository, "node_modules/.bin/tsc"), options, { cwd: folder, encoding: "utf8" });
  expect(stdout).toBe("");
});

test("systemd accepts the units, and stopping one leaves agents alone", ({ skip }) => {
  for (const name of ["skein.service", "skein-worker.service"]) {
    expect(read(name)).toMatch(/^KillMode=process$/m);
    const { error, stderr, status } = spawnSync("systemd-analyze", ["verify", join(repository, "deploy", name)], { encoding: "utf8" });
    if (error !== undefined) skip("systemd is not installed");
    // unknown settings are warnings
    expect(stderr).not.toMatch(/unknown|invalid|ignoring/i);
    expect(status, stderr).toBe(0);
  }
});
