/** The same day of the next month, or the last day of a month that is shorter. */
export function monthAfter(date: Date): Date {
  const next = new Date(date)
  next.setUTCMonth(next.getUTCMonth() + 1)
  if (next.getUTCDate() !== date.getUTCDate()) next.setUTCDate(0)
  return next
}
