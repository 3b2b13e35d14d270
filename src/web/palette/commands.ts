/** The palette's pages, and how it finds them by a typed text. No React. */
import { fold } from '#shared/fold.ts'
import { adminPaths } from '#web/admin-paths.ts'
import { paths, recorderPath } from '#web/paths.ts'

export interface Findable {
  label: string
  /** Other words by which people search for it. */
  words?: string
}

export interface Page extends Findable {
  path: string
  /** A document of its own, without the app. */
  isDocument?: boolean
  /** Shown only when something is typed that finds it. */
  isRare?: boolean
}

/** The pages this account has, in the order of their use. */
export function pagesFor({
  canUpgrade,
  isOperator = false,
}: {
  canUpgrade: boolean
  isOperator?: boolean | undefined
}): Page[] {
  return [
    { label: 'Library', path: paths.library, words: 'recordings tags search' },
    {
      label: 'New',
      path: paths.dashboard,
      words: 'dashboard home upload transcribe process file',
    },
    { label: 'Record', path: recorderPath, words: 'microphone recorder' },
    {
      label: 'Ask',
      path: paths.ask,
      words: 'question answer find recordings your library',
    },
    { label: 'Credits', path: paths.accountCredits, words: 'balance ledger history' },
    {
      label: 'Plan and receipts',
      path: paths.accountPlan,
      words: 'payments invoices cancel renewal tax',
    },
    { label: 'Profile', path: paths.account, words: 'account name email' },
    { label: 'Vocabulary', path: paths.accountVocabulary, words: 'names terms replacements' },
    { label: 'Document types', path: paths.accountTemplates, words: 'templates own kinds' },
    { label: 'Security', path: paths.accountSecurity, words: 'account password sessions devices' },
    { label: 'Your data', path: paths.accountData, words: 'account export delete privacy' },
    { label: 'API keys', path: paths.accountApiKeys, words: 'developers tokens' },
    { label: 'Webhooks', path: paths.accountWebhooks, words: 'developers events deliveries' },
    ...(canUpgrade
      ? [{ label: 'Upgrade Plan', path: paths.subscribe, words: 'subscribe pricing' }]
      : []),
    ...(isOperator
      ? [
          {
            label: 'Operations',
            path: adminPaths.admin,
            words: 'admin operator users jobs health server',
          },
          {
            label: 'Log of operations',
            path: adminPaths.adminLog,
            words: 'admin operator acts audit',
            isRare: true,
          },
        ]
      : []),
    {
      label: 'API reference',
      path: paths.api,
      words: 'developers documentation docs',
      isDocument: true,
    },
    { label: 'Support', path: paths.contact, words: 'contact help message', isDocument: true },
    {
      label: 'FAQ',
      path: paths.faq,
      words: 'help questions answers',
      isDocument: true,
      isRare: true,
    },
    { label: 'Pricing', path: paths.pricing, words: 'plans cost', isDocument: true, isRare: true },
    { label: 'Features', path: paths.features, isDocument: true, isRare: true },
    { label: 'Blog', path: paths.blog, words: 'articles', isDocument: true, isRare: true },
  ]
}

/** "12:30" is 750 and "1:02:03" is 3723 seconds; null for a text that is no time. */
export function secondsIn(query: string): number | null {
  const parts = /^(?:(\d{1,3}):)?(\d{1,3}):(\d\d)$/.exec(query.trim())
  if (!parts) return null
  const [, hours, minutes, seconds] = parts
  // With hours before them minutes end at 59. Without, they may be more: "90:00" is 1.5 hours.
  if (Number(seconds) > 59 || (hours !== undefined && Number(minutes) > 59)) return null
  return Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds)
}

/**
 * The items that have every word of the query, the best first. A match at the beginning of a word
 * is better than one inside. Equally good items keep their order. An empty query finds everything.
 */
export function ranked<Item extends Findable>(query: string, items: readonly Item[]): Item[] {
  const wanted = fold(query.trim()).text.split(/\s+/).filter(Boolean)
  return items
    .map((item) => ({ item, worth: worthOf(wanted, item) }))
    .filter(({ worth }) => worth > 0)
    .toSorted((one, other) => other.worth - one.worth)
    .map(({ item }) => item)
}

const WHOLE = 4
const BEGINS = 3
const WORD_BEGINS = 2
const SOMEWHERE = 1
/** A match in words that are not on the screen counts this much. */
const OTHER_WORDS = 0.5

function worthOf(wanted: readonly string[], { label, words = '' }: Findable): number {
  const name = fold(label).text
  if (wanted.length === 0) return SOMEWHERE
  const query = wanted.join(' ')
  if (name === query) return WHOLE
  if (name.startsWith(query)) return BEGINS
  const other = fold(words).text
  const worths = wanted.map((word) => {
    if (hasWordThatBegins(name, word)) return WORD_BEGINS
    if (name.includes(word)) return SOMEWHERE
    return hasWordThatBegins(other, word) ? OTHER_WORDS : 0
  })
  return Math.min(...worths)
}

const hasWordThatBegins = (text: string, word: string): boolean =>
  text.split(/[\s_.,;:()[\]-]+/).some((part) => part.startsWith(word))
