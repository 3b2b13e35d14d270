/**
 * The oldest browsers that pages run in. The build writes its scripts and styles for these. They are
 * the first with `popover`, by which a page finds out that its browser is older still.
 */
export const OLDEST_BROWSERS = { chrome: 114, edge: 114, firefox: 125, safari: 17 }

const { chrome, firefox, safari } = OLDEST_BROWSERS
export const oldestBrowsers = `Chrome or Edge ${chrome}, Firefox ${firefox}, Safari ${safari}`
