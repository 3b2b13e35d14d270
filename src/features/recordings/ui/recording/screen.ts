/**
 * Keeps the screen of the device on: a phone that goes dark takes the microphone away. The browser
 * gives the screen free when another page is looked at, so it is held again on the way back.
 *
 * @returns what lets it go.
 */
export function keepScreenOn(tell: (isHeld: boolean) => void): () => void {
  let held: WakeLockSentinel | null = null
  let isOver = false
  const hold = async () => {
    if (document.visibilityState !== 'visible' || isOver) return
    try {
      // Old browsers have none.
      const lock: WakeLockSentinel | undefined = await navigator.wakeLock?.request('screen')
      if (isOver) return void lock?.release()
      held = lock ?? null
    } catch {
      // Not given, for example because the battery is low.
      held = null
    }
    if (!isOver) tell(held !== null)
  }
  const look = () => void hold()
  document.addEventListener('visibilitychange', look)
  look()
  return () => {
    isOver = true
    document.removeEventListener('visibilitychange', look)
    void held?.release()
  }
}
