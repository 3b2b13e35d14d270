/**
 * Which system calls a program that reads strangers' files may make: all but those that no decoder
 * needs and that past attacks on the kernel went through. It may start threads and no other
 * program. That bounds its processes for root too, to whom the kernel's own limit does not apply.
 *
 * The filter is a program for the kernel (seccomp, classic BPF). Perl sets it and becomes the
 * program: it is part of every Debian and Ubuntu, and can make any system call.
 */
import { constants } from 'node:os'

/** Numbers of system calls: on x64, on arm64; null where there is none. */
const refused: Record<string, readonly [x64: number | null, arm64: number | null]> = {
  // Other processes, and more of our own.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  fork: [57, null],
  vfork: [58, null],
  // Networks: nothing is left to connect to, and much to attack.
  socket: [41, 198],
  socketpair: [53, 199],
  // Other views of the system.
  unshare: [272, 97],
  setns: [308, 268],
  chroot: [161, 51],
  pivot_root: [155, 41],
  mount: [165, 40],
  umount2: [166, 39],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  // Machinery of the kernel with a history of holes.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  fanotify_init: [300, 262],
  move_pages: [279, 239],
  migrate_pages: [256, 238],
  modify_ldt: [154, null],
  personality: [135, 92],
  // The machine itself.
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  quotactl: [179, 60],
  syslog: [103, 116],
  iopl: [172, null],
  ioperm: [173, null],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  sethostname: [170, 161],
  setdomainname: [171, 162],
}

interface Machine {
  column: 0 | 1
  /** AUDIT_ARCH_…: calls made as for another machine have other numbers. */
  arch: number
  prctl: number
  clone: number
  /** From here on x64 has a second set of the same calls. */
  secondSet?: number
}

const machines: Partial<Record<NodeJS.Architecture, Machine>> = {
  x64: { column: 0, arch: 0xc000_003e, prctl: 157, clone: 56, secondSet: 0x4000_0000 },
  arm64: { column: 1, arch: 0xc000_00b7, prctl: 167, clone: 220 },
}

const CLONE3 = 435
const CLONE_THREAD = 0x1_0000
const { EPERM, ENOSYS } = constants.errno

const LOAD = 0x20
const IF_EQUAL = 0x15
const IF_AT_LEAST = 0x35
const IF_ANY_BIT = 0x45
const ANSWER = 0x06
const ALLOW = 0x7fff_0000
const KILL = 0x8000_0000
const fail = (errno: number) => 0x0005_0000 | errno
/** Where the kernel puts what it asks about; of the first argument the lower half. */
const NUMBER = 0
const ARCH = 4
const FIRST_ARGUMENT = 16

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

function filterFor(machine: Machine, startsOthers: boolean): Buffer {
  const answerTo = (number: number, answer: number): Instruction[] => [
    [IF_EQUAL, 0, 1, number],
    [ANSWER, 0, 0, answer],
  ]
  const { arch, clone, secondSet } = machine
  const others: Instruction[] = startsOthers
    ? []
    : [
        // Its flags lie in memory, where a filter cannot look: libraries then use `clone`.
        ...answerTo(CLONE3, fail(ENOSYS)),
        [IF_EQUAL, 0, 4, clone],
        [LOAD, 0, 0, FIRST_ARGUMENT],
        [IF_ANY_BIT, 1, 0, CLONE_THREAD],
        [ANSWER, 0, 0, fail(EPERM)],
        [ANSWER, 0, 0, ALLOW],
      ]
  const all: Instruction[] = [
    [LOAD, 0, 0, ARCH],
    [IF_EQUAL, 1, 0, arch],
    [ANSWER, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER],
    ...(secondSet === undefined
      ? []
      : ([
          [IF_AT_LEAST, 0, 1, secondSet],
          [ANSWER, 0, 0, fail(ENOSYS)],
        ] satisfies Instruction[])),
    ...refusedOn(machine, startsOthers).flatMap((number) => answerTo(number, fail(EPERM))),
    ...others,
    [ANSWER, 0, 0, ALLOW],
  ]
  const bytes = Buffer.alloc(all.length * 8)
  for (const [index, [code, ifTrue, ifFalse, value]] of all.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(ifTrue, index * 8 + 2)
    bytes.writeUInt8(ifFalse, index * 8 + 3)
    bytes.writeUInt32LE(value, index * 8 + 4)
  }
  return bytes
}

function refusedOn({ column }: Machine, startsOthers: boolean): number[] {
  const names = Object.keys(refused).filter((name) => !startsOthers || !/^v?fork$/.test(name))
  return names.flatMap((name) => refused[name]?.[column] ?? [])
}

/** Numbers of what is refused on this machine, for the test that tries them all. */
export function refusedHere(): number[] {
  const machine = machines[process.arch]
  return machine ? refusedOn(machine, false) : []
}

/** PR_SET_SECCOMP, SECCOMP_MODE_FILTER, and a `struct sock_fprog`: a length and a pointer. */
const setter = `
  my ($prctl, $filter) = (shift() + 0, pack('H*', shift));
  my $program = pack('S x6 P', length($filter) / 8, $filter);
  syscall($prctl, 22, 2, $program) == 0 or die "no filter of system calls: $!\\n";
  exec { $ARGV[0] } @ARGV or exit 127`

/** Where the sandbox shows it to every program; one that somebody built is somewhere else. */
export const PERL = '/usr/bin/perl'

/** A launcher that refuses calls and becomes what follows it; none for machines we do not know. */
export function filtered({ startsOthers }: { startsOthers: boolean }): string[] | null {
  const machine = machines[process.arch]
  if (!machine) return null
  const filter = filterFor(machine, startsOthers)
  return [PERL, '-e', setter, '--', String(machine.prctl), filter.toString('hex')]
}
