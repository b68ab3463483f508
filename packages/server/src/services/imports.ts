import type { ImportOrigin, ImportRun, ImportSource, StartImport } from "@skein/contracts";
import type { ImportContext } from "../imports/import-context.ts";
import type { ImportService } from "./server-services.ts";

const keptRuns = 20;
/** A program writes a session line by line: what it writes within this time is imported together. */
const settleMs = 2000;
const settingEveryMs = 5000;

type Module = typeof import("../imports/run-import.ts");

/** Imports one after another. The readers are loaded with the first use. */
export function createImportService(context: ImportContext): ImportService {
  const runs: ImportRun[] = [];
  const stops = new Map<string, AbortController>();
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  let watching: Promise<() => void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const load = (): Promise<Module> => import("../imports/run-import.ts");

  function enqueue(source: ImportOrigin, work: (module: Module, run: ImportRun, signal: AbortSignal) => Promise<void>): ImportRun {
    count += 1;
    const run: ImportRun = {
      ...{ id: `import-${count}`, source, state: "waiting", sessions: 0, finished: 0, bytes: 0, finishedBytes: 0 },
      ...{ lines: 0, messages: 0, added: 0, updated: 0, unchanged: 0, problems: [], furtherProblems: 0 },
      startedAt: context.now(),
      endedAt: null,
    };
    runs.unshift(run);
    const ended = runs.findLast(({ endedAt }) => endedAt !== null);
    if (runs.length > keptRuns && ended !== undefined) runs.splice(runs.indexOf(ended), 1);
    const stop = new AbortController();
    stops.set(run.id, stop);
    last = last.then(async () => {
      run.state = "running";
      await work(await load(), run, stop.signal);
      stops.delete(run.id);
    });
    return run;
  }

  const start = (input: StartImport): ImportRun =>
    enqueue(input.source, (module, run, signal) => module.runImport(context, { run, input, signal }));

  async function watch(): Promise<() => void> {
    const { listWatchedPlaces } = await load();
    const { watchPlaces } = await import("@skein/agents/session-sources");
    const timers = new Map<ImportSource, NodeJS.Timeout>();
    const importSoon = (source: ImportSource): void => {
      if (timers.has(source)) return;
      const isWaiting = runs.some((run) => run.source === source && run.state === "waiting");
      const startNow = () => {
        timers.delete(source);
        if (!isWaiting && !isClosed) start({ source });
      };
      timers.set(source, setTimeout(startNow, settleMs).unref());
    };
    const closers = listWatchedPlaces().map(({ source, places }) => {
      // what appeared while nobody watched
      importSoon(source);
      return watchPlaces(places, () => importSoon(source));
    });
    return () => {
      for (const close of closers) close();
      for (const one of timers.values()) clearTimeout(one);
    };
  }

  /** Follows the setting, which can be changed at any time. */
  function followSetting(): void {
    const isWanted = context.settings.general().importWatch && !isClosed;
    if (isWanted && watching === undefined) {
      watching = watch();
      watching.catch((error: unknown) => context.logger.error("sessions of other programs cannot be watched", { error }));
    } else if (!isWanted && watching !== undefined) {
      const ended = watching;
      watching = undefined;
      ended.then(
        (close) => close(),
        () => {},
      );
    }
  }

  return {
    async sources() {
      return { sources: await (await load()).listSources(context) };
    },
    runs: () => ({ runs: structuredClone(runs) }),
    start: (input) => structuredClone(start(input)),
    async startFile(input) {
      const received = await (await load()).receiveExported(context, input);
      return structuredClone(enqueue("skein", (module, run, signal) => module.runFileImport(context, { run, received, signal })));
    },
    stop() {
      for (const stop of stops.values()) stop.abort();
      return { runs: structuredClone(runs) };
    },
    watch() {
      followSetting();
      timer = setInterval(followSetting, settingEveryMs).unref();
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      followSetting();
      for (const stop of stops.values()) stop.abort();
      await last.catch((error: unknown) => context.logger.warn("an import did not end", { error }));
    },
  };
}
