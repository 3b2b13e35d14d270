import { SIGNUP_CREDITS } from '#shared/business.ts'
import { bars } from '#shared/format.ts'
import { creditsFor } from '#features/credits/contract.ts'
import { speakerColours } from '#web/ui/speaker-badge.tsx'
import { Timecode } from '#web/ui/timecode.tsx'
import { WaveFigure } from '#web/ui/wave-figure.tsx'

const BARS = 106
const heights = bars('sign in', BARS)
const speakers = heights.map((_, index) => (index < 33 || index > 75 ? 0 : 1))

/**
 * Beside the forms: a transcript of this very page. Decoration; its sentence about credits is true.
 */
export function AuthScene() {
  return (
    <aside
      aria-hidden="true"
      className="hidden flex-col justify-center bg-paper-2 px-16 pb-7 lg:flex"
    >
      <div className="max-w-[680px]">
        <WaveFigure heights={heights} speakers={speakers} playedTo={0.5} height={84} />
        <div className="mt-8 grid grid-cols-[72px_100px_1fr] items-baseline gap-y-8 font-display text-[1.6875rem] leading-[1.35]">
          <Line at={0} speaker={0} name="You">
            I have half an hour.
          </Line>
          <Line at={4} speaker={1} name="Quoth">
            That is {creditsFor(30 * 60)} credits.
            <br />
            You <span className="marked-display">start with {SIGNUP_CREDITS}</span>.
          </Line>
          <Line at={9} speaker={0} name="You">
            And every word comes back?
          </Line>
        </div>
      </div>
    </aside>
  )
}

function Line({
  at,
  speaker,
  name,
  children,
}: {
  at: number
  speaker: number
  name: string
  children: React.ReactNode
}) {
  return (
    <>
      <Timecode s={at} className="text-ink-2" />
      <span
        {...speakerColours(speaker)}
        className="font-sans text-body leading-none! font-[650] text-speaker"
      >
        {name}
      </span>
      <p>{children}</p>
    </>
  )
}
