/** The room a turn has in time. Not in turn-times.ts, which is loaded only with the form for times. */
import type { WordTurn } from '../contract.ts'

export interface Times {
  start: number
  end: number
}

/** As far as a turn may reach: to the turns beside it, unless it reaches into them already. */
export function freeTime(turns: readonly WordTurn[], id: string, duration: number): Times {
  const place = turns.findIndex((turn) => turn.id === id)
  const turn = turns[place]
  return {
    start: Math.min(turn?.start ?? 0, turns[place - 1]?.end ?? 0),
    end: Math.max(turn?.end ?? 0, turns[place + 1]?.start ?? duration),
  }
}
