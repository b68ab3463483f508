import { spawn } from "node:child_process";
import { currentOutput } from "./step-output.mjs";

const tailLength = 20_000;

/**
 * Runs a program until it exits. `output: "show"` prints its output while it runs, `"keep"` prints nothing;
 * both return the end of the output, which explains a failure.
 */
export function runCommand(command, args, { output = "show", ...options } = {}) {
  return new Promise((resolve) => {
    let tail = "";
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const read = (target) => (chunk) => {
      if (output === "show") target.write(chunk);
      tail = (tail + chunk).slice(-tailLength);
    };
    child.stdout.setEncoding("utf8").on("data", read(currentOutput(process.stdout)));
    child.stderr.setEncoding("utf8").on("data", read(currentOutput(process.stderr)));
    child.once("error", (error) => resolve({ code: 1, tail: `${tail}\n${error.message}` }));
    child.once("close", (code, signal) => resolve({ code: code ?? 1, tail: signal ? `${tail}\nended by ${signal}` : tail }));
  });
}

/** Runs a program on this process's own terminal. */
export function runInteractive(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, stdio: "inherit" });
    child.once("error", (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.once("close", (code) => resolve(code ?? 1));
  });
}
