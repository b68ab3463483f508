import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const restMs = 2000;

/** What starting left behind is given back once, when it has come to rest: V8 would keep it until it needs the room. */
export function releaseStartMemory(): void {
  setTimeout(() => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    setFlagsFromString("--no-expose-gc");
    collect();
  }, restMs).unref();
}
