import type { TranscriptionRow } from '../contract.ts'
import { isUnconfirmed, isWorking } from '../status.ts'

type Ordered = Pick<TranscriptionRow, 'id' | 'status'>

/**
 * Running jobs on top, then what waits for its owner, then the rest, each newest first as the
 * server sent them. A row that came with two pages, because a new one pushed it on, is shown once.
 */
export function inLibraryOrder<Row extends Ordered>(pages: Row[][]): Row[] {
  const rows = [...new Map(pages.flat().map((row) => [row.id, row])).values()]
  const rank = ({ status }: Row) => (isWorking(status) ? 0 : isUnconfirmed(status) ? 1 : 2)
  return rows.sort((a, b) => rank(a) - rank(b))
}
