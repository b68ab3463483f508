/** As `passwordSchema` has it, which would bring zod with it. The server checks it as well. */
export const shortestPassword = 12;
