import { paths } from '#web/paths.ts'

const features = [
  {
    name: 'Transcription',
    text: 'Every turn keeps its place in the recording: who spoke, and when.',
    link: 'See how it reads',
  },
  {
    name: 'Summary',
    text: 'Key points and topics, each point with the moment it was said.',
    link: 'See a summary',
  },
  {
    name: 'Speakers',
    text: 'Who spoke when, on a timeline, with the talk time of every voice.',
    link: 'See a timeline',
  },
]

/** The things that a recording becomes, in three ruled rows. */
export function FeatureRows() {
  return (
    <section aria-labelledby="features-heading" className="mt-16">
      <h2 id="features-heading" className="sr-only">
        What you get from a recording
      </h2>
      <ul className="border-t border-rule">
        {features.map(({ name, text, link }) => (
          <li
            key={name}
            className="grid gap-x-6 gap-y-1 border-b border-rule py-5 lg:grid-cols-[256px_1fr_auto] lg:items-baseline"
          >
            <h3 className="font-display text-h3 font-semibold">{name}</h3>
            <p className="text-ink-2">{text}</p>
            <p className="text-small">
              <a href={paths.features} className="text-link">
                {link}
              </a>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
