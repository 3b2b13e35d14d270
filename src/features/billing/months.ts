/** The same day of the next month, or its last one. */
export function monthAfter(date: Date): Date {
  const next = new Date(date)
  next.setUTCMonth(next.getUTCMonth() + 1)
  if (next.getUTCDate() !== date.getUTCDate()) next.setUTCDate(0)
  return next
}
