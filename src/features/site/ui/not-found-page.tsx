import { BRAND } from '#shared/business.ts'
import { bars } from '#shared/format.ts'
import { paths } from '#web/paths.ts'
import { Container } from '#web/ui/container.tsx'
import { WaveFigure } from '#web/ui/wave-figure.tsx'

import { Cta } from './links.tsx'

const BARS = 118
/** A wave with a gap, and the playhead in the gap. */
const heights = bars('not found', BARS).map((height, index) =>
  index > 34 && index < 84 ? 0 : height,
)

export default function NotFoundPage() {
  return (
    <Container className="py-16 lg:pb-28">
      <title>{`404 Page Not Found · ${BRAND}`}</title>
      <meta name="robots" content="noindex" />
      {/* Every row is 32 px or a multiple, with its line below. */}
      <div className="border-t border-rule [&>*]:border-b [&>*]:border-rule">
        <div className="h-8" />
        <div className="flex h-24 items-center">
          <WaveFigure
            heights={heights}
            playedTo={0.5}
            height={64}
            barWidth={3.5}
            tone="ink"
            allFull
          />
        </div>
        <div className="h-8" />
        <h1 className="flex min-h-16 items-end pb-1 font-display text-h1 font-semibold">
          404 Page Not Found
        </h1>
        <p className="ruled-pad border-b-0! text-lead leading-8! text-ink-2">
          This page was never recorded, or it has been deleted.
        </p>
        <div className="h-8" />
        <div className="flex h-16 items-center gap-3">
          <Cta href={paths.start} variant="primary" size="medium">
            Go to the start
          </Cta>
          <Cta href={paths.contact} size="medium">
            Contact
          </Cta>
        </div>
        <div className="h-8" />
      </div>
    </Container>
  )
}
