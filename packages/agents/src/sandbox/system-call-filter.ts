/*
 * A seccomp filter as a BPF program: what a sandbox of namespaces leaves open. Sockets other than those of IP and files: a virtual
 * machine's socket to its host is in no network namespace. Keyrings of the kernel: they belong to the user, not to a namespace.
 * io_uring: it opens sockets without the call that is checked here.
 */

const [LOAD, JUMP_IF_EQUAL, JUMP_IF_AT_LEAST, RETURN] = [0x20, 0x15, 0x35, 0x06] as const;
const [numberOffset, architectureOffset, firstArgumentOffset] = [0, 4, 16] as const;
const [allow, refuse, kill] = [0x7fff_0000, 0x0005_0001 /* EPERM */, 0x8000_0000] as const;
const allowedFamilies = [1 /* files */, 2 /* IPv4 */, 10 /* IPv6 */, 16 /* netlink */];

interface Architecture {
  audit: number;
  socket: number;
  refused: readonly number[];
  /** Numbers from here on belong to another way of calling the kernel. */
  limit?: number;
}

// add_key, request_key, keyctl; io_uring_setup, io_uring_enter, io_uring_register
const architectures: Readonly<Record<string, Architecture>> = {
  x64: { audit: 0xc000_003e, socket: 41, refused: [248, 249, 250, 425, 426, 427], limit: 0x4000_0000 },
  arm64: { audit: 0xc000_00b7, socket: 198, refused: [217, 218, 219, 425, 426, 427] },
};

type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number];

/** The filter for this kind of processor; undefined if it is not known. Programs of another kind (32 bit) are killed. */
export function createSystemCallFilter(processor: string = process.arch): Buffer | undefined {
  const architecture = architectures[processor];
  if (architecture === undefined) return undefined;
  const { audit, socket, refused, limit } = architecture;
  const instructions: Instruction[] = [
    [LOAD, 0, 0, architectureOffset],
    [JUMP_IF_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, kill],
    [LOAD, 0, 0, numberOffset],
    ...(limit === undefined
      ? []
      : ([
          [JUMP_IF_AT_LEAST, 0, 1, limit],
          [RETURN, 0, 0, kill],
        ] satisfies Instruction[])),
    ...refused.flatMap((call): Instruction[] => [
      [JUMP_IF_EQUAL, 0, 1, call],
      [RETURN, 0, 0, refuse],
    ]),
    [JUMP_IF_EQUAL, 1, 0, socket],
    [RETURN, 0, 0, allow],
    [LOAD, 0, 0, firstArgumentOffset],
    ...allowedFamilies.flatMap((family): Instruction[] => [
      [JUMP_IF_EQUAL, 0, 1, family],
      [RETURN, 0, 0, allow],
    ]),
    [RETURN, 0, 0, refuse],
  ];
  const bytes = Buffer.alloc(instructions.length * 8);
  for (const [index, [code, whenTrue, whenFalse, value]] of instructions.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(whenTrue, index * 8 + 2);
    bytes.writeUInt8(whenFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  }
  return bytes;
}
