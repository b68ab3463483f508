import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import { root } from "./repository.mjs";

const describeError = (error) => String(error?.message ?? error);

/**
 * Vitest's reporter for the end of `npm test`: writes the failed tests, the tests that passed only when they were retried,
 * the duration and CPU time of each file and the results for real agents to a file, so that they can be reported after all parts have run. The output of a part may
 * have scrolled away by then.
 */
export default class SummaryReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const summary = { failures: [], retried: [], files: [], agentCells: [] };
    for (const module of modules) {
      const file = relative(root, module.moduleId);
      summary.files.push({ file, durationMs: module.diagnostic().duration, cpuMs: module.meta().cpuMs ?? 0 });
      for (const error of module.errors()) summary.failures.push({ file, title: "", message: describeError(error) });
      for (const suite of module.children.allSuites()) {
        for (const error of suite.errors()) summary.failures.push({ file, title: suite.fullName, message: describeError(error) });
      }
      for (const test of module.children.allTests()) summary.agentCells.push(...(test.meta().agentCells ?? []));
      for (const test of module.children.allTests("failed")) {
        const { errors = [] } = test.result();
        summary.failures.push({ file, title: test.fullName, message: errors.map(describeError).join("\n") });
      }
      for (const test of module.children.allTests("passed")) {
        if (!test.diagnostic()?.flaky) continue;
        const [firstError] = test.result().errors ?? [];
        summary.retried.push({ file, title: test.fullName, message: describeError(firstError) });
      }
    }
    for (const error of unhandledErrors) {
      summary.failures.push({ file: "", title: "An error outside the tests", message: describeError(error) });
    }
    writeFileSync(process.env.SKEIN_TEST_SUMMARY, JSON.stringify(summary));
  }
}
