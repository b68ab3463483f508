import "../styles.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { blobQuery } from "../api/attempt-api.ts";
import { LocaleProvider, loadOwnDictionary } from "../i18n/locale.tsx";
import { ReadOnlyPlace } from "../team/read-only-place.ts";
import { ExportPage } from "./export-page.tsx";
import { readBlocks } from "./read-blocks.ts";
import { addPackedGrammar } from "./stubs/highlighter.ts";
import { allowOwnWorker } from "./stubs/markdown-parser.ts";

/*
 * The entry of exported pages (vite/export-page.ts): the app's components with data that is part of the page. Modules that talk to the
 * server or load files are replaced by those in `stubs`.
 */

const root = document.getElementById("root");
if (!root) throw new Error("the page has no element with the id root");
allowOwnWorker();
const data = readBlocks(document);
for (const grammar of data.grammars) addPackedGrammar(grammar);
// nothing is ever loaded
const client = new QueryClient({ defaultOptions: { queries: { enabled: false, retry: false } } });
for (const file of data.changes?.files ?? []) {
  const sides = [[file.oldPath ?? file.filePath, file.oldId] as const, [file.filePath, file.newId] as const];
  for (const [path, blob] of sides) {
    const content = blob === undefined ? undefined : data.images.get(blob);
    if (blob === undefined || content === undefined) continue;
    const { queryKey } = blobQuery(data.head.attempt.id, path, blob);
    client.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY });
    client.setQueryData(queryKey, content);
  }
}
void loadOwnDictionary().then(() =>
  createRoot(root).render(
    <LocaleProvider>
      <QueryClientProvider client={client}>
        <ReadOnlyPlace value={true}>
          <ExportPage data={data} />
        </ReadOnlyPlace>
      </QueryClientProvider>
    </LocaleProvider>,
  ),
);
