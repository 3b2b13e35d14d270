/** Makes .tar.bz2 archives, as models come in, entry by entry, so that they can be hostile too. */
import { spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'

export interface ArchiveEntry {
  name: string
  bytes?: Buffer
  /** `0` a file, `5` a folder, `1` and `2` links to `target`. */
  type?: '0' | '1' | '2' | '5' | 'L'
  target?: string
  /** Claimed in place of its true size. */
  size?: number
}

export function tar(entries: readonly ArchiveEntry[]): Buffer {
  const parts = entries.flatMap(({ name, bytes = Buffer.alloc(0), type = '0', target, size }) => {
    const header = Buffer.alloc(512)
    header.write(name, 0, 100)
    header.write('0000644\0', 100)
    header.write((size ?? bytes.length).toString(8).padStart(11, '0'), 124)
    header.write('        ', 148)
    header.write(type, 156)
    header.write(target ?? '', 157, 100)
    header.write('ustar\x0000', 257)
    const sum = header.reduce((all, byte) => all + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  return Buffer.concat([...parts, Buffer.alloc(1024)])
}

export async function bzip2(bytes: Buffer): Promise<Buffer> {
  const program = spawn('bzip2', ['-c'], { stdio: ['pipe', 'pipe', 'inherit'] })
  program.stdin.end(bytes)
  return buffer(program.stdout)
}
