import config from '../playwright.config.ts'

const { launchOptions } = config.use ?? {}

/** A browser with a microphone that beeps, so that none is needed. */
export const withFakeMicrophone = {
  ...launchOptions,
  args: [
    ...(launchOptions?.args ?? []),
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
  ],
}
