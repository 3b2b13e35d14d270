/** The two voices of the sample, each on a channel of its own, as tests want them to be mixed. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const sample = join(import.meta.dirname, '../src/features/transcriptions/sample/sample.m4a')
const ada = 'between(t,0,6.6)+between(t,13.2,18.4)'
const ben = 'between(t,6.6,13.2)+between(t,18.4,23.3)'

/** As ffmpeg's pan has them; c0 is Ada and c1 is Ben. */
export const mixes = {
  call: 'c0=c0+0.05*c1|c1=c1+0.05*c0',
  room: 'c0=c0+0.5*c1|c1=c1+0.5*c0',
  twice: 'c0=c0+c1|c1=0.2*c0+0.2*c1',
  onlyLeft: 'c0=c0+c1|c1=0*c0',
} as const

/**
 * Writes a recording of 20 seconds. Ada speaks at 0 and at 13 s, Ben as long after her as he does in
 * the sample, or so much earlier.
 */
export async function aCall(
  path: string,
  { mix = 'call', earlierS = 0 }: { mix?: keyof typeof mixes; earlierS?: number } = {},
): Promise<void> {
  const filter = [
    '[0]asplit[one][two]',
    `[one]volume='${ada}':eval=frame[ada]`,
    `[two]volume='${ben}':eval=frame,atrim=start=${earlierS},asetpts=PTS-STARTPTS[ben]`,
    `[ada][ben]join=inputs=2:channel_layout=stereo,pan=stereo|${mixes[mix]}`,
  ].join(';')
  const from = ['-v', 'error', '-y', '-i', sample, '-filter_complex', filter]
  await promisify(execFile)('ffmpeg', [...from, '-t', '20', '-c:a', 'pcm_s16le', path])
}
