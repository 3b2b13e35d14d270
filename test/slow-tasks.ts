/** Tasks of a module that takes longer to load than they may take, as any does on a busy machine. */
import { getPriority } from 'node:os'

export const LOADS_MS = 1_500

const priorityAtFirst = getPriority()
const loadedAt = Date.now()
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOADS_MS)

/** When it was loaded, and how it had given way by then, and has now. */
export const history = () => ({ loadedAt, priorityAtFirst, priority: getPriority() })
