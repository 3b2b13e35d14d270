/**
 * A ticket is the value of `?token=…&auth=success`, where a sign-in at Google ends. Its form is its
 * own: no session token and no API key looks like it, so neither can be passed off as one.
 */
export const TICKET_START = 'quoth_ticket_'
export const TICKET = /^quoth_ticket_[\w-]{43}$/
