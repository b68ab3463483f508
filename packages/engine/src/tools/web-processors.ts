import type { JsonValue } from "@skein/contracts";
import { keepStart, truncateCodePoints } from "../text/truncate.ts";
import { arrayField, stringField } from "./json-fields.ts";
import { hasSucceeded, type ToolProcessor } from "./tool-processor.ts";

const maxContentLength = 256 * 1024;
const maxResults = 100;
const maxSnippetLength = 500;

/** Fetches a web page. */
export const webFetchProcessor: ToolProcessor = {
  toolNames: ["WebFetch"],
  present(observation) {
    const { input, structured, output } = observation;
    const url = stringField(input, "url") ?? stringField(structured, "url");
    const summary = { action: "fetch", subject: url } as const;
    if (!hasSucceeded(observation)) return { summary };
    const content = keepStart(stringField(structured, "result") ?? output, maxContentLength);
    const title = stringField(structured, "title");
    const page = {
      ...(url === undefined ? {} : { url }),
      ...(title === undefined ? {} : { title: truncateCodePoints(title, maxSnippetLength) }),
    };
    return { summary, details: { type: "webResult", data: { ...page, content } } };
  },
};

/** Searches the web. */
export const webSearchProcessor: ToolProcessor = {
  toolNames: ["WebSearch", "web_search"],
  present(observation) {
    const { input, structured, output } = observation;
    const query = stringField(input, "query") ?? stringField(structured, "query") ?? "";
    const summary = { action: "search-web", subject: query } as const;
    if (!hasSucceeded(observation)) return { summary };
    const results = readResults(structured);
    const content = readWords(structured) ?? (results.length === 0 ? output : "");
    return {
      summary,
      details: {
        type: "webResult",
        data: {
          query,
          ...(content === "" ? {} : { content: keepStart(content, maxContentLength) }),
          ...(results.length === 0 ? {} : { results }),
        },
      },
    };
  },
};

interface SearchResult {
  title: string;
  url: string;
  snippet?: string;
}

/** Hits are in the list itself, or in the `content` of one of its entries; text between them is the model's. */
function readResults(structured: JsonValue | undefined): SearchResult[] {
  const entries = arrayField(structured, "results") ?? [];
  return entries
    .flatMap((entry) => arrayField(entry, "content") ?? [entry])
    .flatMap((hit) => {
      const url = stringField(hit, "url");
      if (url === undefined) return [];
      const snippet = stringField(hit, "snippet", "description");
      return [
        {
          title: truncateCodePoints(stringField(hit, "title") ?? url, maxSnippetLength),
          url: truncateCodePoints(url, 2000),
          ...(snippet === undefined ? {} : { snippet: truncateCodePoints(snippet, maxSnippetLength) }),
        },
      ];
    })
    .slice(0, maxResults);
}

function readWords(structured: JsonValue | undefined): string | undefined {
  const words = arrayField(structured, "results")?.filter((entry) => typeof entry === "string");
  return words === undefined || words.length === 0 ? undefined : words.join("\n").trim();
}
