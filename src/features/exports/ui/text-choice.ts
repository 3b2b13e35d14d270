/** Whether copied and shared texts have names and times before each turn; kept in this browser. */
export interface TextChoice {
  names: boolean
  times: boolean
}

const KEY = 'copied-with'

export function keptTextChoice(kept = localStorage.getItem(KEY)): TextChoice {
  if (kept === null) return { names: true, times: false }
  const parts = kept.split(' ')
  return { names: parts.includes('names'), times: parts.includes('times') }
}

export function keepTextChoice({ names, times }: TextChoice): void {
  const parts = [names ? 'names' : null, times ? 'times' : null]
  localStorage.setItem(KEY, parts.filter((part) => part !== null).join(' '))
}
