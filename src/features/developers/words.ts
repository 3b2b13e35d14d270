/** The events that a webhook can be told of, in words; read by both sides, without the schema library. */
export const webhookTypes = [
  'transcription.created',
  'transcription.completed',
  'transcription.summarized',
  'transcription.failed',
  'transcription.deleted',
  'transcription.stage.failed',
  'document.completed',
  'document.failed',
  'translation.completed',
  'translation.failed',
  'render.completed',
  'render.failed',
  'credits.low',
  'share.created',
  'share.ended',
] as const
export type WebhookTypeName = (typeof webhookTypes)[number]

export const webhookWords: Record<WebhookTypeName, string> = {
  'transcription.created': 'A recording was confirmed and waits for a worker.',
  'transcription.completed':
    'Its text, speakers and summary are there. With “summaryPending”, a better summary follows.',
  'transcription.summarized':
    'The summary that was pending has ended. Unless “replaced”, the one from before stays.',
  'transcription.failed':
    'It failed; its credits were returned. With “again” in its data, the text from before stays.',
  'transcription.deleted': 'Its owner deleted or cancelled it.',
  'transcription.stage.failed':
    'A part failed and the rest went on, for example telling speakers apart.',
  'document.completed': 'A document is written.',
  'document.failed': 'A document could not be written; its credit was returned.',
  'translation.completed': 'A translation is there.',
  'translation.failed': 'A translation could not be made; its credit was returned.',
  'render.completed': 'A file without cuts is made.',
  'render.failed': 'A file without cuts could not be made; it cost nothing.',
  'credits.low': 'The balance fell below the number set in the account.',
  'share.created': 'A link for people without an account was made.',
  'share.ended': 'A link ended: its owner ended it, or its time was over.',
}
