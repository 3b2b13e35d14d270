import '#web/input-method.ts'

import { startPlayer } from './player.ts'

startPlayer()
