/** Prints the result of a bench: a table of figures, each with its limit and a verdict. */
import { cpus } from 'node:os'

export interface Figure {
  what: string
  /** As it is read, with its unit. */
  figure: string
  /** The limit as text; a figure without one is not judged. */
  bar?: string
  isMet?: boolean
}

export function printFigures(title: string, figures: readonly Figure[]): void {
  const rows = figures.map(({ what, figure, bar, isMet }) => [
    what,
    figure,
    bar ?? '',
    isMet === undefined ? '' : isMet ? 'meets' : 'falls short',
  ])
  printTable(title, [['', 'figure', 'bar', ''], ...rows])
}

/** Rows of cells under a row of heads, as wide as they need to be. */
export function printTable(title: string, table: readonly (readonly string[])[]): void {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((cells) => cells[column]?.length ?? 0)),
  )
  console.log(`\n${title}`)
  for (const cells of table)
    console.log(
      `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
    )
}

/** The facts that a reader needs to compare two runs. */
export function printMachine(): void {
  const [first] = cpus()
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${first?.model.trim() ?? 'unknown'}), Node ${process.versions.node}`,
  )
}

/** A time, and whether it is short enough. */
export function within(what: string, ms: number, mostMs: number): Figure {
  return { what, figure: milliseconds(ms), bar: `≤ ${mostMs} ms`, isMet: ms <= mostMs }
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** The value below which this share of the values lies (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return (
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? NaN
  )
}

export const ratio = (value: number): string => value.toFixed(2)
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`
export const milliseconds = (ms: number): string => `${ms.toFixed(ms < 10 ? 1 : 0)} ms`
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`
