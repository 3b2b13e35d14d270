/**
 * Guards that may keep somebody from logging out. Before a log-out each is asked whether to go on. A
 * room that has something to lose on the page registers a guard, because the account, which logs out,
 * knows no later room.
 */
type Guard = () => Promise<boolean>

const guards = new Set<Guard>()

export function guardLogOut(guard: Guard): () => void {
  guards.add(guard)
  return () => void guards.delete(guard)
}

export async function mayLogOut(): Promise<boolean> {
  for (const guard of guards) if (!(await guard())) return false
  return true
}
