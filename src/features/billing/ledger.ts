/** A user's ledger in plain words: each movement of credits, with its reason, its time and the balance. */
import * as credits from '#features/credits/credits.ts'
import type { Db, Queryable } from '#server/db.ts'
import { planOf, SIGNUP_CREDITS } from '#shared/business.ts'
import { addressOf } from '#shared/call.ts'
import { withoutFormula } from '#shared/csv.ts'
import { formatMoney } from '#shared/format.ts'

import { alertOf } from './alerts.ts'
import { type PaymentFacts, paymentsOf } from './billing.ts'
import { readReceipt } from './calls.ts'
import type { CreditLine, CreditPage } from './contract.ts'

interface Work {
  name: string
  seconds: number
  withDocument: boolean
  /** Why it failed, in the words its owner was told. */
  problem: string | null
}

/**
 * The work behind jobs, told by a later room: of these ids those that are this user's and still there;
 * `isForOthers`: without what is hidden for others.
 */
export type Describe = (
  db: Queryable,
  about: { userId: string; ids: readonly string[]; isForOthers: boolean },
) => Promise<Map<string, Work>>

/** The reasons that operators gave for these adjustments of credits, told by a later room. */
export type Explain = (
  db: Queryable,
  about: { userId: string; ids: readonly string[] },
) => Promise<Map<string, string>>

interface Deps {
  db: Db
  describe: Describe
  explain: Explain
}

const PAGE = 50
const CSV_PAGE = 1_000

/** One page of lines, newest first, `before` the id that the page before it gave. */
export async function page(
  deps: Deps,
  { userId, before }: { userId: string; before: number | undefined },
): Promise<CreditPage> {
  const { db } = deps
  const [{ available, held }, { lines: count, spent }, alertBelow, found] = await Promise.all([
    credits.balance(db, userId),
    credits.totals(db, userId),
    alertOf(db, userId),
    credits.lines(db, { userId, limit: PAGE + 1, before }),
  ])
  const shown = found.slice(0, PAGE)
  const next = found.length > PAGE ? (shown.at(-1)?.id ?? null) : null
  const lines = await inWords(deps, { userId, lines: shown, isForOthers: false })
  return { available, held, spent, count, lines, next, alertBelow }
}

/**
 * All lines as a table for spreadsheets, newest first, page by page. Nobody knows where the file goes, so
 * it is without what is hidden for others.
 */
export async function* csv(deps: Deps, userId: string): AsyncGenerator<string> {
  yield row([
    'Date',
    'What',
    'For',
    'Length in seconds',
    'Change',
    'Balance',
    'Note',
    'Transcription',
  ])
  let before: number | undefined
  let balance: number | undefined
  for (;;) {
    const some = await credits.lines(deps.db, { userId, limit: CSV_PAGE, before, balance })
    for (const line of await inWords(deps, { userId, lines: some, isForOthers: true }))
      yield row([
        line.at,
        line.what,
        line.title,
        line.seconds === null ? '' : String(line.seconds),
        String(line.change),
        String(line.balance),
        line.note ?? '',
        line.transcriptionId ?? '',
      ])
    const last = some.at(-1)
    before = last?.id
    balance = last && last.balance - last.change
    if (some.length < CSV_PAGE) return
  }
}

function row(cells: string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

/** A cell of the table, quoted where CSV needs quotes. */
function cell(value: string): string {
  const safe = /^-?\d+$/.test(value) ? value : withoutFormula(value)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

async function inWords(
  { db, describe, explain }: Deps,
  { userId, lines, isForOthers }: { userId: string; lines: credits.Line[]; isForOthers: boolean },
): Promise<CreditLine[]> {
  const causes = lines.map(({ cause }) => causeOf(cause))
  const idsOf = (kind: string) => causes.flatMap((cause) => (cause.kind === kind ? cause.id : []))
  const [works, payments, reasons] = await Promise.all([
    describe(db, { userId, ids: [...new Set(idsOf('transcription'))], isForOthers }),
    paymentsOf(db, { userId, ids: [...idsOf('payment'), ...idsOf('reversal')] }),
    explain(db, { userId, ids: idsOf('adjustment') }),
  ])
  return lines.map((line) => {
    const { kind, id } = causeOf(line.cause)
    const work = kind === 'transcription' ? works.get(id) : undefined
    const payment = payments.get(id)
    const kinds = line.entries.map((entry) => entry.kind)
    const what = whatOf(kind, { kinds, change: line.change })
    return {
      id: line.id,
      at: line.createdAt.toISOString(),
      what,
      title: titleOf(kind, { work, payment }),
      seconds: work?.seconds ?? null,
      note: noteOf(what, { kind, work, payment, reason: reasons.get(id) }),
      transcriptionId: work ? id : null,
      receiptUrl: kind === 'payment' && payment ? addressOf(readReceipt, { params: { id } }) : null,
      change: line.change,
      balance: line.balance,
      entries: line.entries.map((entry) => ({
        at: entry.createdAt.toISOString(),
        words: entryWords[entry.kind],
        change: onBalance(entry),
        balance: entry.availableAfter,
      })),
    }
  })
}

function causeOf(cause: string): { kind: string; id: string } {
  const [kind = '', id = ''] = cause.split(':')
  return { kind, id }
}

const entryWords: Record<credits.Entry['kind'], string> = {
  grant: 'Added',
  hold: 'Held',
  charge: 'Taken from what was held',
  release: 'Returned',
  reversal: 'Taken back',
  adjustment: 'Changed by an operator',
}

function onBalance({ kind, credits }: Pick<credits.Entry, 'kind' | 'credits'>): number {
  switch (kind) {
    case 'grant':
    case 'release':
    case 'adjustment':
      return credits
    case 'hold':
    case 'reversal':
      return -credits
    case 'charge':
      return 0
  }
}

function whatOf(
  kind: string,
  { kinds, change }: { kinds: credits.Entry['kind'][]; change: number },
): CreditLine['what'] {
  if (kind === 'adjustment') return change > 0 ? 'Granted' : 'Taken back'
  if (kind === 'payment') return 'Bought'
  if (kind === 'reversal') return kinds.includes('grant') ? 'Given back' : 'Taken back'
  if (kinds.includes('charge')) return 'Taken'
  if (kinds.includes('release')) return 'Returned'
  return kinds.includes('hold') ? 'Held' : 'Granted'
}

interface Facts {
  work: Work | undefined
  payment: PaymentFacts | undefined
}

function titleOf(kind: string, { work, payment }: Facts): string {
  if (payment) return planOf(payment.planId).name
  if (work) return work.name
  if (kind === 'transcription') return 'Deleted transcription'
  if (kind === 'document') return 'Document'
  if (kind === 'translation') return 'Translation'
  if (kind === 'signup') return 'Sign-up credits'
  if (kind === 'adjustment') return 'Changed by an operator of this server'
  return kind === 'reversal' ? 'Payment given back' : 'Credits'
}

function noteOf(
  what: CreditLine['what'],
  { kind, work, payment, reason }: Facts & { kind: string; reason: string | undefined },
): string | null {
  if (kind === 'adjustment') return reason ?? null
  const price = payment ? formatMoney(payment.amountCents, payment.currency) : null
  switch (what) {
    case 'Bought':
      return price
    case 'Taken back':
      return `A payment${price ? ` of ${price}` : ''} was given back or disputed.`
    case 'Given back':
      return 'The bank decided the dispute for us.'
    case 'Held':
      // The credit of its document is held too. The document has a line of its own once it can be written.
      return `${work?.withDocument ? 'And a document. ' : ''}Taken when it completes, returned if it fails.`
    case 'Taken':
      return null
    case 'Returned':
      if (kind === 'document') return 'The document could not be made.'
      if (kind === 'translation') return 'The translation was stopped, or could not be made.'
      return work?.problem ?? null
    case 'Granted':
      return kind === 'signup' ? `Email verified. ${SIGNUP_CREDITS} free credits to start.` : null
  }
}
