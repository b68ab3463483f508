import { z } from "zod";

// Must run before any schema is made: zod otherwise tries `new Function`, which our Content-Security-Policy reports as a violation.
z.config({ jitless: true });
