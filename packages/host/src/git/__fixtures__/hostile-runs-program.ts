import { runHostileCases } from "../hostile-runs.fixture.ts";

// Usage: node hostile-runs-program.ts <calls>. Prints the figures of the run.
process.stdout.write(JSON.stringify(await runHostileCases(Number(process.argv[2]))));
