/**
 * The oldest browsers that pages run in. The build writes its scripts and styles for these. Each is the
 * first of its kind that has `popover`: a page whose browser lacks it says that the browser is too old.
 */
export const OLDEST_BROWSERS = { chrome: 114, edge: 114, firefox: 125, safari: 17 }

const { chrome, firefox, safari } = OLDEST_BROWSERS
export const oldestBrowsers = `Chrome or Edge ${chrome}, Firefox ${firefox}, Safari ${safari}`
