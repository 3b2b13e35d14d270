/**
 * Marks in an index, beside the text, the entry of the section that is being read. It takes no
 * script: each section is a timeline that runs while the reader's line is within it, and its entry
 * shows `read-now` (styles.css) as long. A browser without such timelines marks nothing.
 *
 * The sections are in the element with `data-read`, and the entries in the element with `data-index`.
 */
export function ReadingMark({ sections }: { sections: number }) {
  const numbers = Array.from({ length: sections }, (_, index) => index + 1)
  const rules = numbers.map(
    (number) =>
      `[data-read]>:nth-child(${number}){view-timeline-name:--read-${number}}` +
      `[data-index] li:nth-child(${number})>a{animation-timeline:--read-${number}}`,
  )
  const scope = numbers.map((number) => `--read-${number}`).join(',')
  const css = `body{timeline-scope:${scope}}${rules.join('')}`
  // oxlint-disable-next-line react/no-danger -- made of numbers, when the site is built
  return <style dangerouslySetInnerHTML={{ __html: css }} />
}
