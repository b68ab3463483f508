import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { earlyChunks } from "./vite/early-chunks.ts";
import { exportPage } from "./vite/export-page.ts";
import { createPageChunks } from "./vite/page-chunks.ts";
import { precompress } from "./vite/precompress.ts";
import { thirdPartyLicenses } from "./vite/third-party-licenses.ts";
import { withoutJsonSchema } from "./vite/without-json-schema.ts";

const server = process.env.SKEIN_DEV_SERVER ?? "http://127.0.0.1:4180";

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    earlyChunks({ always: /\/wire-schemas\.ts$/, pages: { board: /\/board-page\.tsx$/, task: /\/task-page\.tsx$/ } }),
    withoutJsonSchema(),
    thirdPartyLicenses(),
    precompress(),
    exportPage(),
  ],
  server: { proxy: { "/api": { target: server } } },
  // The grammars of the highlighter are chunks of their own in its worker, too.
  worker: { format: "es" },
  build: {
    target: "es2023",
    sourcemap: false,
    // A data: URL or an inline preload script would need a hole in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: createPageChunks({
            // with what every lazy part needs: without it, the sign-in page would load the chunk of tasks
            app: /\/src\/(?:main\.tsx|i18n\/page-texts\.ts|ui\/use-action\.ts)$/,
            board: /\/board-page\.tsx$/,
            // many other parts show them, too
            texts: /\/i18n\/task-text\.ts$/,
            task: /\/task-page\.tsx$/,
          }),
        },
      },
      treeshake: {
        // Schemas are built when their module runs: without this, one imported function brings every schema and zod with it.
        moduleSideEffects: (id) => !/[\\/]packages[\\/](?:contracts|engine)[\\/]|[\\/]zod[\\/]/.test(id),
      },
    },
  },
});
