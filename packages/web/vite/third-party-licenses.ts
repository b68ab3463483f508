import { createRequire } from "node:module";
import type { Plugin } from "vite";
import { listLicenses } from "../../../scripts/setup/third-party-licenses.mjs";

const fontPackages = ["@fontsource-variable/inter", "@fontsource-variable/jetbrains-mono"];

/** Writes the licenses of everything that the bundle holds next to it: packages, and the fonts, which are no modules. */
export function thirdPartyLicenses(): Plugin {
  return {
    name: "skein:third-party-licenses",
    apply: "build",
    generateBundle() {
      const { resolve } = createRequire(import.meta.url);
      const fonts = fontPackages.map((name) => resolve(`${name}/package.json`));
      this.emitFile({ type: "asset", fileName: "THIRD-PARTY-LICENSES.txt", source: listLicenses([...this.getModuleIds(), ...fonts]) });
    },
  };
}
