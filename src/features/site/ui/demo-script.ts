import { startDemo } from './demo-player.ts'

startDemo()
