import type { GeneratedDocument } from '../contract.ts'

/** How far the documents of a recording are, and how it has ended: "2 are ready, 1 could not be written." */
export function howFar(documents: readonly Pick<GeneratedDocument, 'status'>[]): string {
  const count = (of: GeneratedDocument['status']) =>
    documents.filter(({ status }) => status === of).length
  const [writing, ready, failed] = [count('generating'), count('generated'), count('error')]
  if (writing > 0) return `${writing} being written.`
  if (failed === 0) return 'All documents are ready.'
  const notWritten = `${failed} could not be written.`
  if (ready > 0) return `${ready} ${ready === 1 ? 'is' : 'are'} ready, ${notWritten}`
  return failed === 1 ? 'The document could not be written.' : notWritten
}
