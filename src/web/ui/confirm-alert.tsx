import { later } from '#web/later.tsx'

/** A question that is asked on a press, for screens that are there before their dialogs (see dialog.tsx). */
export const ConfirmAlert = later(async () => (await import('./dialog.tsx')).ConfirmAlert)
