import { runHostileCases } from "./hostile-runs.fixture.ts";

// node hostile-runs-program.ts <calls>: prints what it did.
process.stdout.write(JSON.stringify(await runHostileCases(Number(process.argv[2]))));
