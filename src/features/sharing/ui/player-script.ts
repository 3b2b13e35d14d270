import { startPlayer } from './player.ts'

startPlayer()
