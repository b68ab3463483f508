import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const packagePattern = /^(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/;
const licensePattern = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/** Names, versions and license texts of all installed packages that the modules of a bundle belong to. */
export function listLicenses(moduleIds) {
  const folders = new Set(moduleIds.flatMap((id) => packagePattern.exec(id)?.[1] ?? []));
  return [...folders]
    .sort()
    .map(describePackage)
    .join(`\n${"-".repeat(80)}\n\n`);
}

function describePackage(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const texts = readdirSync(folder)
    .filter((file) => licensePattern.test(file))
    .map((file) => readFileSync(path.join(folder, file), "utf8").trim());
  return [`${name} ${version} (${license})`, ...texts, ""].join("\n\n");
}
