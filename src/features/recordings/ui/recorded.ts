/** The moment and the time zone of a recording, as far as this browser knows them. */
import { isTimeZone } from '#shared/recorded.ts'

import type { BeginUpload } from '../contract.ts'
import { originOf } from './recording/origin.ts'

/** The time zone of this device, where it says one. */
export function timeZoneHere(): string | undefined {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return isTimeZone(timeZone) ? timeZone : undefined
}

/** A recording from the microphone was made here: its file is as old as its first word. */
export function recordedHere(file: File): Pick<BeginUpload, 'recordedAt' | 'timeZone'> {
  const timeZone = timeZoneHere()
  return {
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(originOf(file) ? { recordedAt: new Date(file.lastModified).toISOString() } : {}),
  }
}
