/** Where a room reads the time. Passed in, so that a test can stand at any moment. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()
