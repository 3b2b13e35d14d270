import { formatDate } from '#shared/format.ts'

import type { ActivityEntry, ActivityKind } from '../contract.ts'

const words: Record<ActivityKind, string> = {
  signed_in: 'Signed in with the password',
  signed_in_google: 'Signed in with Google',
  signed_in_oidc: 'Signed in with single sign-on',
  token_made: 'A token for a script was made',
  signed_out: 'Signed out',
  session_ended: 'A session was ended',
  sessions_ended: 'Signed out everywhere else',
  password_changed: 'The password was changed',
  password_reset: 'A new password was chosen by a mailed link',
  names_changed: 'The name was changed',
  email_change_asked: 'A change of the email address was asked for',
  email_changed: 'The email address was changed',
  google_linked: 'Google was linked',
  google_unlinked: 'Google was removed',
  oidc_linked: 'Single sign-on was linked',
  oidc_unlinked: 'Single sign-on was removed',
  data_exported: 'A copy of all data was downloaded',
  recording_deleted: 'A recording was deleted',
  transcription_deleted: 'A transcription was deleted',
  key_made: 'An API key was made',
  key_revoked: 'An API key was revoked',
  share_made: 'A link to a transcription was made',
  share_ended: 'A link to a transcription was ended',
  blocked: 'The account was blocked by an operator',
  unblocked: 'The account was unblocked by an operator',
}

/** "Signed out everywhere else (3)" */
export function activityWords({ kind, count }: Pick<ActivityEntry, 'kind' | 'count'>): string {
  return count === null ? words[kind] : `${words[kind]} (${count})`
}

const HOUR_MS = 3_600_000
const inWords = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** How long ago, as one says it. The server notes a use once an hour, so no finer than that. */
export function ago(value: string, now: Date = new Date()): string {
  const hours = Math.floor((now.getTime() - new Date(value).getTime()) / HOUR_MS)
  if (hours < 1) return 'within the hour'
  if (hours < 24) return inWords.format(-hours, 'hour')
  return hours < 48 ? inWords.format(-1, 'day') : formatDate(value)
}
