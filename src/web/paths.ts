import { ownPath } from '#shared/own-path.ts'

/** Every path of the product, so that none is spelled twice. */
/** Two that a small script can name without taking all the others into its page. */
export const startPath = '/'
export const homePath = '/home'

export const paths = {
  start: startPath,
  auth: '/auth',
  home: homePath,
  dashboard: '/dashboard',
  library: '/library',
  ask: '/ask',
  account: '/account',
  accountCredits: '/account/credits',
  accountPlan: '/account/plan',
  accountVocabulary: '/account/vocabulary',
  accountTemplates: '/account/templates',
  accountSecurity: '/account/security',
  accountData: '/account/data',
  accountApiKeys: '/account/api-keys',
  accountWebhooks: '/account/webhooks',
  mailsOff: '/mails-off',
  subscribe: '/subscribe',
  upgrade: '/upgrade',
  subscriptionSuccess: '/subscription-success',
  features: '/features',
  pricing: '/pricing',
  faq: '/faq',
  contact: '/contact',
  api: '/api',
  blog: '/blog',
  privacy: '/privacy',
  terms: '/terms',
  googleSignIn: '/api/auth/google',
  devMail: '/dev/mail',
} as const

/** The dashboard has three addresses; who is at one of them stays there. */
export const dashboardPaths: readonly string[] = [paths.start, paths.home, paths.dashboard]

export const articleSlugs = [
  'podcast-seo-transcription',
  'professional-interview-transcription',
  'meeting-transcription-vs-note-taking',
  'legal-transcription-requirements',
  'video-transcription-content-marketing',
  'medical-transcription-accuracy',
] as const
export type ArticleSlug = (typeof articleSlugs)[number]

export const articlePath = (slug: ArticleSlug) => `${paths.blog}/${slug}`

/**
 * The pages that are for everybody: written to HTML when the browser side is built.
 * A function, so that the small scripts of these pages hold no list of them.
 */
export const publicPaths = (): string[] => [
  paths.start,
  paths.features,
  paths.pricing,
  paths.faq,
  paths.contact,
  paths.api,
  paths.blog,
  ...articleSlugs.map(articlePath),
  paths.privacy,
  paths.terms,
]

/** Pages that the server fills: what stands beside the app, a shared result, a link that opens none. */
export const templatePaths = [
  '/templates/plain',
  '/templates/share',
  '/templates/share-ended',
  '/templates/share-password',
]

/** The screens of the app. All of them get its empty shell, and root/ui/app.tsx has their pages. */
export const appPaths = [
  paths.start,
  paths.auth,
  paths.subscribe,
  paths.upgrade,
  paths.home,
  paths.dashboard,
  paths.library,
  paths.ask,
  paths.subscriptionSuccess,
  paths.account,
  paths.accountCredits,
  paths.accountPlan,
  paths.accountVocabulary,
  paths.accountTemplates,
  paths.accountSecurity,
  paths.accountData,
  paths.accountApiKeys,
  paths.accountWebhooks,
  paths.mailsOff,
] as const
export type AppPath = (typeof appPaths)[number]

export type AuthMode = 'login' | 'register' | 'forgot'

/** /auth in one of its modes; `next` is where a sign-in leads. */
export function authPath({ mode = 'login', next }: { mode?: AuthMode; next?: string | null } = {}) {
  const search = new URLSearchParams()
  if (mode !== 'login') search.set('mode', mode)
  if (next) search.set('next', next)
  return search.size > 0 ? `${paths.auth}?${search}` : paths.auth
}

/** The state of a navigation that asks for the dashboard itself, also while a job runs. */
export const TO_DASHBOARD = 'to-dashboard'

/** In an address of the dashboard: opens the recorder. */
export const RECORD = 'record'

/** The state of a navigation with which somebody has pressed "Record". */
export const PRESSED_RECORD = 'pressed-record'

/** From a dashboard to the same one with nothing open. */
export const NEW_FILE = { search: '', hash: '' }

/** The recorder, from a page that is not the dashboard. */
export const recorderPath = `${paths.dashboard}?${RECORD}=1`

/** Where the recorder opens. On the dashboard it is the same page, with what is sent and what runs. */
export function recordPath({ pathname, search }: { pathname: string; search: string }): string {
  if (!dashboardPaths.includes(pathname)) return recorderPath
  const query = new URLSearchParams(search)
  query.set(RECORD, '1')
  return `${pathname}?${query}`
}

/** A transcription opened on the dashboard: a running one as its card, a finished one as its result. */
export const transcriptionPath = (id: string) => `${paths.dashboard}?t=${encodeURIComponent(id)}`

/** The search of an address with a moment of the open transcription, in seconds, or without one. */
export function withMoment(search: string, at: number | null): string {
  const query = new URLSearchParams(search)
  query.delete('to')
  if (at === null) query.delete('at')
  else query.set('at', String(at))
  return query.size > 0 ? `?${query}` : ''
}

/** The address of what is said in a transcription from one second to another. */
export const passagePath = (id: string, { at, to }: { at: number; to: number }): string =>
  `${transcriptionPath(id)}&at=${at}&to=${to}`

/** The moment that an address names, or with `to` where a passage ends; null where it names none. */
export function momentIn(search: string, name: 'at' | 'to' = 'at'): number | null {
  const named = new URLSearchParams(search).get(name) ?? ''
  const at = Number(named)
  return named.trim() !== '' && Number.isFinite(at) && at >= 0 ? at : null
}

/**
 * The path in a `next` parameter, or null when it is anything but a screen of the app. A link from
 * a stranger must not decide where a sign-in ends: neither on another site, nor at one of the
 * server's own addresses, of which one signs out.
 */
export function safeNext(next: string | null | undefined): string | null {
  const own = ownPath(next ?? '')
  return own && appPaths.some((path) => path === own.pathname) ? own.pathname + own.rest : null
}
