import { BRAND } from '#shared/business.ts'

import { LoadingPage } from '#web/ui/spinner.tsx'

/** Stands for every screen of the app until its code is there; app.tsx then takes its place. */
export default function ShellPage() {
  return (
    <LoadingPage>
      <title>{BRAND}</title>
      <noscript>This page needs JavaScript. Please switch it on and load the page again.</noscript>
    </LoadingPage>
  )
}
